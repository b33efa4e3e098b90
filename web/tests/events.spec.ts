/** Every kind of event of every game as a sentence, from films of real matches, without a page. */

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Frame, Language, Legend, Result, SceneEvent } from "../src/api/types";
import { gameWords, textOf, type Part } from "../src/app/sentences";
import { Scene } from "../src/board/scene";
import { language, loadLanguage } from "../src/i18n";
import { eventLines, eventSentence, type EventLine } from "../src/viewer/eventLines";
import { stock } from "./support";

interface Sample {
  game: string;
  reader: number | null;
  legend: Legend;
  names: string[];
  frames: Frame[];
  results: Result[];
}

const SAMPLES = JSON.parse(readFileSync(stock.events, "utf8")) as Sample[];
const GAMES = [...new Set(SAMPLES.map(({ game }) => game))];
const films = (game: string): Sample[] => SAMPLES.filter((sample) => sample.game === game);

/** What no sentence may contain, cells apart: long ids, numbers that mean "none", names of the rules, raw templates. */
const UNREADABLE = /#|-\d+\b(?! %)|\bkind \d|_|undefined|null|NaN|[{}[\]]| {2}/;
/** Damage, shields and health are counted in hundredths, and no unit of these matches has so many points. */
const HUNDREDTHS = /\b\d{4,}\b|\d[,\u00a0]\d{3}/;

function play(sample: Sample, each: (scene: Scene, frame: Frame) => void): void {
  const scene = new Scene(sample.legend, sample.names);
  for (const frame of sample.frames) {
    scene.apply(frame);
    each(scene, frame);
  }
}

/** A sentence with its cells, whose coordinates may be negative, as "@". */
const plain = (parts: readonly Part[]): string => textOf(parts.map((part) => (/^-?\d+, -?\d+$/.test(part.text) ? { text: "@" } : part)));

function linesOf(sample: Sample): EventLine[] {
  const lines: EventLine[] = [];
  play(sample, (scene, frame) => void lines.push(...eventLines(frame.events ?? [], scene, sample.reader)));
  return lines;
}

const LANGUAGES: readonly Language[] = ["en", "ru"];
/** Latin letters of a Russian sentence: names, and what Russian writes so. */
const LATIN = /[A-Za-z]/;
const WRITTEN_SO = /\bNFT\b/g;

/** Russian sentences with words that are not Russian; names of players and pieces may be in any language. */
function foreignSentences(sentences: readonly string[], { names, frames }: Sample): string[] {
  if (language !== "ru") return [];
  const all = [...names, ...frames.flatMap(({ piece_names }) => Object.values(piece_names ?? {}))].sort((one, other) => other.length - one.length);
  const rest = (sentence: string): string => all.reduce((text, name) => text.replaceAll(name, ""), sentence).replace(WRITTEN_SO, "");
  return [...new Set(sentences)].filter((sentence) => LATIN.test(rest(sentence)));
}

/** The lines of a turn in which one player built and took much. */
function countedLines(): string[] {
  const legend = films("colorfight")[0]?.legend;
  if (legend === undefined) throw new Error("There is no film.");
  const kind = (name: string): number => legend.events.findIndex((event) => event.name === name);
  const scene = new Scene(legend, ["greedy", "greedy 2", "greedy 3"]);
  const mine = legend.events[kind("built")]?.choices?.indexOf("gold_mine") ?? 0;
  const built = Array.from({ length: 15 }, (_, x): SceneEvent => [kind("built"), [[x, 1], 1, mine]]);
  const taken = Array.from({ length: 12 }, (_, x): SceneEvent => [kind("captured"), [[x, 2], 1, 2, 0]]);
  return eventLines([...built, ...taken, [kind("died"), [2]]], scene, null).map(({ parts }) => textOf(parts));
}

for (const reader of LANGUAGES) {
  test.describe(`in ${reader}`, () => {
    test.beforeEach(() => loadLanguage(reader));

    for (const game of GAMES) {
      test(`every kind of event of ${game} has a sentence`, () => {
        const seen = new Map<string, string>();
        for (const sample of films(game)) {
          const sentences: string[] = [];
          play(sample, (scene, frame) => {
            for (const event of frame.events ?? []) {
              sentences.push(plain(eventSentence(event, scene)));
              seen.set(sample.legend.events[event[0]]?.name ?? "", sentences.at(-1) ?? "");
            }
          });
          expect.soft(foreignSentences(sentences, sample)).toEqual([]);
        }
        const kinds = films(game)[0]?.legend.events.map(({ name }) => name) ?? [];
        expect([...seen.keys()].sort()).toEqual([...kinds].sort());
        for (const [kind, sentence] of seen) expect.soft(sentence, kind).not.toMatch(UNREADABLE);
      });

      test(`the lines of ${game} are readable`, () => {
        let count = 0;
        for (const sample of films(game)) {
          const lines = linesOf(sample).flatMap(({ parts, steps }) => [parts, ...steps]).map(plain);
          count += lines.length;
          expect([...new Set(lines.filter((line) => line === "" || UNREADABLE.test(line)))]).toEqual([]);
          expect(foreignSentences(lines, sample)).toEqual([]);
        }
        expect(count).toBeGreaterThan(20);
      });

      test(`the results of ${game} are readable`, () => {
        for (const sample of films(game)) {
          const sentences = sample.results.map((result) => gameWords(sample.legend).result(result));
          expect([...new Set(sentences.filter((sentence) => /undefined|null|NaN|[{}[\]_]| {2}/.test(sentence)))]).toEqual([]);
          expect(foreignSentences(sentences, sample)).toEqual([]);
        }
      });
    }

    test("figures of boidvoid are points, not hundredths", () => {
      const lines = films("boidvoid").flatMap(linesOf);
      const figures = lines.flatMap(({ parts, steps }) => [parts, ...steps]).map(plain).filter((line) => /damage|health|shields|урон|здоровья|щит/.test(line));
      expect(figures.length).toBeGreaterThan(10);
      expect([...new Set(figures.filter((line) => HUNDREDTHS.test(line)))]).toEqual([]);
    });
  });
}

test.describe("sentences", () => {
  test.beforeEach(() => loadLanguage("en"));

  test("a battle is one line that opens", () => {
    const lines = films("enova").flatMap(linesOf).filter(({ steps }) => steps.length > 0);
    expect(lines.length).toBeGreaterThan(3);
    for (const { parts } of lines) expect(textOf(parts)).toMatch(/^Battle at \d+, \d+.*: .+ won with \d+ units?/);
    const fights = films("boidvoid").flatMap(linesOf).filter(({ steps }) => steps.length > 0);
    for (const { parts } of fights) expect(textOf(parts)).toMatch(/ attacked .+: .+ was hit for [\d.]+ damage/);
  });

  test("what one player did is one line, counted", () => {
    expect(countedLines()).toEqual(["greedy 2 built 15 gold mines and took 12 cells from greedy 3", "greedy 3 is out of the game"]);
  });

  test("what the reader did comes first", () => {
    let moments = 0;
    for (const sample of SAMPLES.filter(({ game, reader }) => game === "colorfight" && reader === 1))
      play(sample, (scene, frame) => {
        const actors = eventLines(frame.events ?? [], scene, 1).map(({ parts }) => parts[0]?.text);
        if (!actors.includes("player 1")) return;
        moments++;
        expect(actors[0]).toBe("player 1");
      });
    expect(moments).toBeGreaterThan(5);
  });

  test("choices with the number 0 are shown", () => {
    const sentences: string[] = [];
    for (const sample of [...films("datspulse"), ...films("hive")])
      play(sample, (scene, frame) => void sentences.push(...(frame.events ?? []).map((event) => plain(eventSentence(event, scene)))));
    expect(sentences.some((line) => / lost a \w+ at @ to a nest$/.test(line))).toBe(true);
    expect(sentences.some((line) => line.includes("could not hatch") && line.includes("there is no room"))).toBe(true);
    expect(sentences.some((line) => line.includes("spawned a bee"))).toBe(true);
  });

  test("what one player did is one line in Russian too", async () => {
    await loadLanguage("ru");
    expect(countedLines()).toEqual(["greedy 2 строит 15 золотых рудников и захватывает 12 клеток у игрока greedy 3", "greedy 3 выбывает из игры"]);
  });

  test("a line that begins with no name begins with a capital letter", async () => {
    await loadLanguage("ru");
    for (const sample of films("boidvoid")) for (const { parts } of linesOf(sample)) if (!sample.names.some((name) => textOf(parts).startsWith(name))) expect(textOf(parts)).toMatch(/^[А-ЯЁ]/);
  });
});
