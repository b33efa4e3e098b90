/** What frames make of the board, without any page. */

import { expect, test } from "@playwright/test";
import { ALL_SHOWN, MapStyle } from "../src/board/render/mapStyle";
import { Scene } from "../src/board/scene";
import type { Frame, Legend } from "../src/api/types";

const LEGEND: Legend = {
  game: "mist",
  version: 1,
  board: { topology: "square", dialect: "offset", size: 4, box: [0, 1, 0, 1], chunk: 32 },
  layers: [{ name: "terrain", type: "code", palette: ["hidden", "rock", "field"], styles: { rock: "rock", field: "meadow" }, hidden_code: 0 }],
  kinds: [],
  events: [],
  verbs: [],
  figures: [],
  ground_layer: 0,
};
const HIDDEN = 0;
const ROCK = 1;
const FIELD = 2;

function shown(...frames: Frame[]): Scene {
  const scene = new Scene(LEGEND);
  for (const frame of frames) scene.apply(frame);
  return scene;
}

const everything: Frame = { turn: 1, key: true, players: [], patches: [[0, 0, [0, 1, 32, 33], [ROCK, FIELD, HIDDEN, HIDDEN]]] };
const rockLeaves: Frame = { turn: 2, players: [], patches: [[0, 0, [0], [HIDDEN]]], remembered: [[0, 0, [0], [ROCK]]] };

function colour(scene: Scene, offset: number): number {
  const cells = scene.chunks.get(0);
  if (cells === undefined) throw new Error("There is no such chunk.");
  return new MapStyle(LEGEND, ALL_SHOWN, "dark").groundAt(cells, offset).colour;
}

test("land that has left sight is known as it was last seen", () => {
  const scene = shown(everything, rockLeaves);
  expect(scene.value(0, 0, 0)).toBe(HIDDEN);
  expect(scene.lastSeen(0, 0, 0)).toBe(ROCK);
  expect(scene.lastSeen(0, 0, 1)).toBeNull();
});

test("land out of sight is neither bright nor black", () => {
  const seen = colour(shown(everything), 0);
  const left = shown(everything, rockLeaves);
  expect(colour(left, 0)).not.toBe(seen);
  expect(colour(left, 0)).not.toBe(colour(left, 32));
});

test("a key frame brings its own memory and forgets the rest", () => {
  const scene = shown(everything, rockLeaves, { ...everything, turn: 3, patches: [[0, 0, [0, 1, 32, 33], [0, 0, 0, 0]]], remembered: [[0, 0, [1], [FIELD]]] });
  expect(scene.lastSeen(0, 0, 0)).toBeNull();
  expect(scene.lastSeen(0, 1, 0)).toBe(FIELD);
});
