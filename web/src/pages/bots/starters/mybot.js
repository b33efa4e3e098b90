// A bot for {title}. To try it here: marchland play {game} --bots "cmd:node mybot.js,greedy" --watch

// Orders look like this; the values are only examples:
// {orders}

function play(view) {
  // The view is what your seat may know. Return a list of orders.
  return [];
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type !== "turn") return;
  for (const result of message.results) if (result.state !== "done") console.error(result.order, result.sentence);
  console.log(JSON.stringify({ turn: message.turn, orders: play(message.view) }));
});
