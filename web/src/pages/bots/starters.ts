/** First programs of a bot, for one game: they run as they are, and list the orders of the game. */

import { titleOf } from "../../app/format";
import type { GameInfo, Parameter, Verb } from "../../api/types";
import c from "./starters/mybot.c?raw";
import javascript from "./starters/mybot.js?raw";
import python from "./starters/mybot.py?raw";
import paste from "./starters/paste.sh?raw";

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

/** Fill `{title}` and `{game}`, and the line with `{orders}` once for each verb. */
function fill(text: string, game: GameInfo): string {
  const orders = game.verbs.filter(({ role }) => !role).map(orderOf);
  return text
    .replace(/^(.*)\{orders\}$/m, (_, mark: string) => orders.map((order) => mark + order).join("\n"))
    .replaceAll("{title}", titleOf(game.name))
    .replaceAll("{game}", game.name);
}

export const STARTERS: readonly Starter[] = [
  { language: "Python", file: "mybot.py", build: null, bot: "mybot.py", write: (game) => fill(python, game) },
  { language: "JavaScript", file: "mybot.js", build: null, bot: '"cmd:node mybot.js"', write: (game) => fill(javascript, game) },
  { language: "C", file: "mybot.c", build: "cc -O2 -o mybot mybot.c", bot: "cmd:./mybot", write: (game) => fill(c, game) },
];

/** The lines for a terminal. `place` names a match or a room, as `marchland join` does. */
export function linesOf({ build, bot }: Starter, token: string, place: string): string[] {
  const values: Record<string, string> = { token, place, bot, build: build ?? "", origin: location.origin };
  return paste
    .split("\n")
    .map((line) => line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""))
    .filter((line) => line !== "");
}
