/** How a legend is shown: which layer is ground, which is land, which are marks and figures, and in what colours. */

import { mix, playerColour, toNumber } from "../../app/playerColours";
import type { ItemPicture } from "../../app/itemPictures.svelte";
import type { Theme } from "../../app/theme.svelte";
import type { GroundStyle, Layer, Legend } from "../../api/types";
import { knownGlyphPath } from "./glyphs";
import type { ChunkCells } from "../scene";

export type Texture = "plain" | "rough" | "dots" | "waves" | "specks" | "mist";

export interface Ground {
  colour: number;
  texture: Texture;
}

/** What can be switched on and off. */
export interface Shown {
  owner: boolean;
  ground: boolean;
  marks: boolean;
  figures: boolean;
  pieces: boolean;
  grid: boolean;
  motion: boolean;
  /** A number layer to be shown as heat, or null. */
  heat: number | null;
}

export const ALL_SHOWN: Shown = {
  owner: true,
  ground: true,
  marks: true,
  figures: true,
  pieces: true,
  grid: true,
  motion: true,
  heat: null,
};

interface Tones {
  cell: number;
  ink: number;
  outline: number;
  mark: number;
  hidden: number;
  heat: [number, number];
  tint: number;
}

export const TONES: Record<Theme, Tones> = {
  dark: { cell: 0x1d2530, ink: 0xe8e3d8, outline: 0x0d1117, mark: 0xe8e3d8, hidden: 0x11161d, heat: [0x1d2530, 0xf2b544], tint: 0.4 },
  light: { cell: 0xe6e0d3, ink: 0x1c232c, outline: 0xfbf8f1, mark: 0x2a323d, hidden: 0xcfc9bb, heat: [0xe6e0d3, 0xb06a00], tint: 0.5 },
};

/** Ground styles: a hue over the cell's own colour, its share, and a texture. */
const STYLES: Record<GroundStyle, [colour: number, share: number, texture: Texture]> = {
  acid: [0x9bbf2f, 0.34, "waves"],
  azure: [0x4f7fb0, 0.34, "plain"],
  barrier: [0x6b7480, 0.55, "rough"],
  channel: [0x3d9a9a, 0.32, "waves"],
  clay: [0xa37a4a, 0.42, "plain"],
  forest: [0x3f7d4a, 0.4, "dots"],
  haze: [0x7a5fb5, 0.36, "waves"],
  lava: [0xc9502e, 0.4, "waves"],
  meadow: [0x5a9a4e, 0.36, "dots"],
  mountain: [0x7d8794, 0.55, "rough"],
  paved: [0xa08e6b, 0.3, "plain"],
  rock: [0x7d8794, 0.5, "rough"],
  rubble: [0x8a7f73, 0.38, "specks"],
  sand: [0xb59a5a, 0.34, "specks"],
  soil: [0x96703f, 0.34, "specks"],
  water: [0x3f77b5, 0.4, "waves"],
};
/** For words without a style. */
const SPARE: [number, number, Texture][] = [
  [0x8a7f73, 0.34, "specks"],
  [0x5f8fa8, 0.34, "dots"],
  [0x9a6f9a, 0.34, "waves"],
  [0x7fa05f, 0.34, "dots"],
];

export class MapStyle {
  readonly ground: number;
  /** Further code layers with ground styles, which lie over the ground, like an obstacle on any terrain. */
  readonly overlays: number[];
  /** Code layers whose words stand on a cell as a mark. */
  readonly marks: number[];
  /** Number layers that change. */
  readonly figures: number[];
  readonly tones: Tones;
  /** The ground's code of cells out of sight; -1 if there is none. */
  readonly hiddenCode: number;
  private readonly grounds: Ground[];
  /** The same, out of sight. */
  private readonly faded: Ground[];

  constructor(
    readonly legend: Legend,
    readonly shown: Shown,
    readonly theme: Theme,
    /** A player whose land stands out; null for none. */
    readonly focus: number | null = null,
    /** The picture of an item by its template; null where there is none. */
    readonly pictureOf: (template: number) => ItemPicture | null = () => null,
  ) {
    this.tones = TONES[theme];
    const { layers } = legend;
    const codes = indices(layers, (layer) => layer.type === "code");
    this.ground = legend.ground_layer ?? codes.find((index) => layers[index]?.still) ?? -1;
    this.overlays = codes.filter((index) => index !== this.ground && layers[index]?.styles !== undefined);
    this.marks = codes.filter((index) => index !== this.ground && !this.overlays.includes(index));
    this.figures = indices(layers, (layer) => layer.type === "number" && !layer.still);
    this.hiddenCode = layers[this.ground]?.hidden_code ?? -1;
    this.grounds = (layers[this.ground]?.palette ?? []).map((_, code) => this.groundOf(this.ground, code));
    this.faded = this.grounds.map(({ colour, texture }) => ({ colour: mix(colour, this.tones.hidden, 0.6), texture }));
  }

  /** How one cell's ground is painted; out of sight, as it was last seen. */
  groundAt({ layers: values, memory }: Pick<ChunkCells, "layers" | "memory">, offset: number): Ground {
    if (this.shown.heat !== null) return this.heatOf(values[this.shown.heat]?.[offset] ?? 0, this.shown.heat);
    if (!this.shown.ground || this.ground < 0) return { colour: this.tones.cell, texture: "plain" };
    for (const layer of this.overlays) {
      const code = values[layer]?.[offset] ?? 0;
      if (code > 0) return this.groundOf(layer, code);
    }
    const code = values[this.ground]?.[offset] ?? 0;
    const known = code === this.hiddenCode ? this.faded[memory.get(this.ground)?.[offset] ?? -1] : undefined;
    return known ?? this.grounds[code] ?? { colour: this.tones.cell, texture: "plain" };
  }

  /** Whether a glyph stands on this kind of ground besides its texture, like a castle. */
  hasGroundMark(code: number): boolean {
    return code > 0 && knownGlyphPath(glyphOf(this.legend.layers[this.ground], code)) !== null;
  }

  /** How strongly a player's land is tinted. */
  strength(player: number): number {
    return this.focus === null || this.focus === player ? this.tones.tint : this.tones.tint / 3;
  }

  playerColour(side: number): number {
    const colour = toNumber(playerColour(side));
    return this.theme === "light" ? mix(colour, 0x000000, 0.22) : colour;
  }

  private groundOf(index: number, code: number): Ground {
    const { cell, hidden } = this.tones;
    const layer = this.legend.layers[index];
    if (code === (layer?.hidden_code ?? -1)) return { colour: hidden, texture: "mist" };
    if (code === 0) return { colour: cell, texture: "plain" };
    const style = layer?.styles?.[layer.palette?.[code] ?? ""];
    const [colour, share, texture] = style !== undefined ? STYLES[style] : (SPARE[code % SPARE.length] ?? [cell, 0, "plain" as const]);
    return { colour: mix(cell, colour, share), texture };
  }

  private heatOf(value: number, index: number): Ground {
    const { least = 0, most = 1 } = this.legend.layers[index] ?? {};
    const share = Math.min(1, Math.max(0, (value - least) / Math.max(1, most - least)));
    return { colour: mix(this.tones.heat[0], this.tones.heat[1], Math.sqrt(share) * 0.85), texture: "plain" };
  }
}

/** The glyph that a legend names for a code of a layer. */
export function glyphOf(layer: Layer | undefined, code: number): string | undefined {
  return layer?.glyphs?.[layer.palette?.[code] ?? ""];
}

function indices(layers: Layer[], wanted: (layer: Layer) => boolean): number[] {
  return layers.flatMap((layer, index) => (wanted(layer) ? [index] : []));
}

/** The players of a value of a `players` layer: a bit each. */
export function playersIn(mask: number): number[] {
  const found: number[] = [];
  for (let player = 0; player < 31; player++) if (mask & (1 << player)) found.push(player);
  return found;
}
