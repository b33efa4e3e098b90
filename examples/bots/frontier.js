// Frontier, a bot for Colorfight: every turn it takes the cheapest cells along its border, as many as it can pay for.
//
// It speaks the lines of docs/bots.md and needs nothing but Node:
//
//     marchland play colorfight --bots "cmd:node examples/bots/frontier.js,greedy" --watch
//
// Notes go to stderr (console.error): stdout is for answers.

"use strict";

const readline = require("node:readline");

function play(view) {
  let energy = view.users[view.me].energy;
  const orders = [];
  for (const cell of border(view).sort(byPriceThenPlace)) {
    const price = Math.max(1, cell.attack_cost);
    if (price > energy) break;
    energy -= price;
    orders.push({ do: "attack", at: cell.position, energy: price });
  }
  return orders;
}

/** The cells that are not mine but lie beside one that is. */
function border(view) {
  const rows = view.game_map;
  const isMine = (x, y) => rows[y]?.[x]?.owner === view.me;
  return rows.flat().filter(({ position: [x, y] }) =>
    !isMine(x, y) && (isMine(x, y - 1) || isMine(x + 1, y) || isMine(x, y + 1) || isMine(x - 1, y)));
}

/** Cheap cells first; of equal ones the upper, then the left one. */
function byPriceThenPlace(a, b) {
  return a.attack_cost - b.attack_cost || a.position[1] - b.position[1] || a.position[0] - b.position[0];
}

// Lines of other types ("start", "end") ask for nothing. When stdin closes, Node ends by itself.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "turn") {
    console.log(JSON.stringify({ turn: message.turn, orders: play(message.view) }));
  }
});
