/** Plain words: none of the retired phrases is left in the page, the documents or the words of games, and what replaced them is there. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

const ROOT = new URL("../../", import.meta.url);

/** For each text that people found hard to understand: the old words, and where the new ones are. */
const PHRASES: readonly (readonly [retired: RegExp, plain: string])[] = [
  [/drawn? by lot/i, 'generate: "Generate"'],
  [/things? to mend/, "to fix before you can play"],
  [/nothing starts on this map/, "No player starts here yet. Place a hive or a bee"],
  [/none kept yet|Kept maps|Keep and try/, 'noneSavedYet: "none saved yet"'],
  [/\b\d+ verbs\b|: counted\("verb"\)/, 'counted("action")'],
  [/Acts take effect at once/, "Actions happen immediately"],
  [/bots? that plays?: |who come by your link/, "invited"],
  [/\bat the latest seconds\b|every \d+ seconds at the latest/, 'atMost: "at most"'],
  [/Let go\b|lets go of the order/, 'cancelTitle: "Cancel (Esc)"'],
  [/"(dir|at|to|nft)\?"/, '"dir": "direction"'],
  [/not one of the marked cells/, "You can't use that cell. Choose a marked one, or press Esc to cancel."],
  [/waits for Enter|waits to be sent/, "Not sent yet: press Send."],
  [/What becomes of your orders/, "The results of your orders appear here after every turn."],
  [/No way leads there/, "Out of reach this turn."],
  [/stays empty for good\./, 'resign: "Resign"'],
  [/\d+ for the host\b/, 'verbs: "Orders"'],
  [/In whose place/, 'inWhosePlace: "Play as"'],
  [/with new dice/, "with new random numbers"],
  [/\$\{\w+\} missed`/, '"turn" : "turns"} missed'],
  [/Nobody has come yet/, "No players yet."],
  [/"turns when all are ready"/, 'noTimeLimit: "no time limit"'],
  [/At most one player is left/, "Only {player} is left."],
  [/Begin one of your own|against whom you send/, "against bots, or invite friends with a link"],
  [/was played to its end yet/, "No finished matches yet."],
  [/latecomers/, "You can still join this running game."],
  [/Playings|\bfor ever\b/, "0 = no end."],
  [/From start to start|Maps in turn|"Earned by"/, "Needs at least 1 …"],
  [/appointed time for whoever/, "A scheduled match; players sign up before it starts."],
  [/emptySeats: "Empty"/, "Empty (no one plays)"],
  [/seat of his own|lost his token/, "Everyone who registers gets a seat."],
  [/\bdeeds\b|"What exactly"|admins' affair/, 'whatExactly: "Details"'],
  [/hear of changes/, "Changes reach matches at the daily update."],
  [/cannot be asked who/, "We couldn't check your sign-in."],
  [/is unrolled|Laying out the games/, "Loading the games …"],
  [/Its key stays in this browser/, "You are signed in on this browser only"],
  [/and the board stands|to get it back by|Friends come by/, "To invite friends"],
  [/A way goes to where/, "A path leads to the clicked cell by the cheapest steps"],
  [/Commas part bots|Talk belongs on stderr|draw its dice/, "stderr"],
  [/run by whoever/, "A server runs [seasons]"],
  [/\bwhoever\b|\bnobody\b/i, "no one"],
];

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(new URL(`${folder}${name}`, ROOT), "utf8"));
}

const texts = [...filesUnder("web/src/i18n/", /\.ts$/), ...filesUnder("docs/", /\.md$/), ...filesUnder("src/marchland/games/", /words\/\w+\.py$|mapfile\.py$/), readFileSync(new URL("src/marchland/core/words.py", ROOT), "utf8")]
  .join("\n")
  .replaceAll(/\s+/g, " ");

for (const [retired, plain] of PHRASES)
  test(`${plain} stands in place of ${retired.source}`, () => {
    expect(texts.match(retired)?.[0] ?? null).toBeNull();
    expect(texts).toContain(plain);
  });
