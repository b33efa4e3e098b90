/** First programs of a bot, for one game: they run as they are, and list the orders of the game. */

import { titleOf } from "../../app/format";
import type { GameInfo, Parameter, Verb } from "../../api/types";

export interface Starter {
  language: string;
  file: string;
  /** What makes a program of the file, if anything must. */
  build: string | null;
  /** The bot as `marchland join` names it. */
  bot: string;
  write: (game: GameInfo) => string;
}

const EXAMPLES: Record<Parameter["pick"], string> = { piece: "1", cell: "[0, 0]", direction: '"E"', path: "[[0, 0]]", number: "1", choice: '""', text: '""' };

const exampleOf = ({ pick, choices }: Parameter): string => (choices?.length ? JSON.stringify(choices[0]) : EXAMPLES[pick]);

/** `{"do": "attack", "at": [0, 0], "energy": 1}`. */
function orderOf({ do: verb, params }: Verb): string {
  const given = params.filter(({ optional }) => !optional).map((parameter) => `"${parameter.name}": ${exampleOf(parameter)}`);
  return `{${[`"do": "${verb}"`, ...given].join(", ")}}`;
}

const listOrders = (game: GameInfo, mark: string): string => game.verbs.filter(({ role }) => !role).map((verb) => `${mark} ${orderOf(verb)}`).join("\n");

const python = (game: GameInfo): string => `"""A bot for ${titleOf(game.name)}. To try it here: marchland play ${game.name} --bots mybot.py,greedy --watch"""

# Orders look like this; the values are only examples:
${listOrders(game, "#")}


class Bot:
    def start(self, info):
        print("seat", info["seat"], "of", info["players"])

    def play(self, view):
        # The view is what your seat may know. Return a list of orders.
        return []

    def results(self, results):
        for result in results:
            if result["state"] != "done":
                print(result["order"], result["sentence"])
`;

const javascript = (game: GameInfo): string => `// A bot for ${titleOf(game.name)}. To try it here: marchland play ${game.name} --bots "cmd:node mybot.js,greedy" --watch

// Orders look like this; the values are only examples:
${listOrders(game, "//")}

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
`;

const c = (game: GameInfo): string => `/* A bot for ${titleOf(game.name)}. To try it here: marchland play ${game.name} --bots "cmd:./mybot,greedy" --watch */

/* Orders look like this; the values are only examples:
${listOrders(game, "  ")}
*/

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *turn = strstr(line, "\\"turn\\":"); /* a turn's line begins {"type":"turn","turn":1,"view":{ */
        if (strncmp(line, "{\\"type\\":\\"turn\\"", 14) != 0 || turn == NULL) continue;
        printf("{\\"turn\\":%ld,\\"orders\\":[]}\\n", strtol(turn + 7, NULL, 10));
        fflush(stdout);
    }
    free(line);
    return 0;
}
`;

export const STARTERS: readonly Starter[] = [
  { language: "Python", file: "mybot.py", build: null, bot: "mybot.py", write: python },
  { language: "JavaScript", file: "mybot.js", build: null, bot: '"cmd:node mybot.js"', write: javascript },
  { language: "C", file: "mybot.c", build: "cc -O2 -o mybot mybot.c", bot: "cmd:./mybot", write: c },
];
