/** Colours of players. Written by web/generate.py from marchland.player_colours: do not edit. */

export const PLAYER_COLOURS: readonly string[] = [
  "#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc",
  "#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc",
  "#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc",
  "#56b4e9", "#e69f00", "#1fb486", "#d583b4", "#f0e442", "#e4622a", "#4a86e8", "#b8c0cc",
  "#ca95e4", "#64d88f", "#cc3f33", "#95a6e4", "#9fd864", "#cc33ad", "#95e4dd", "#d8ac64",
  "#6533cc", "#95e498", "#d86482", "#3387cc", "#d8e495", "#c964d8", "#33cc8b", "#e4ac95",
  "#6465d8", "#61cc33", "#e495c4", "#64cad8", "#ccb133", "#bf95e4", "#64d880", "#cc333a",
  "#95b0e4", "#add864", "#cc33c0", "#95e4d3", "#d89d64", "#5233cc", "#9ce495", "#d86491",
];
export const BASE_COLOURS = 8;
export const HATCHED_PLAYERS = 32;
export const GOLDEN_RATIO = 0.6180339887498949;
export const SATURATION = 0.6;
export const LIGHTNESSES: readonly number[] = [0.62, 0.5, 0.74];
