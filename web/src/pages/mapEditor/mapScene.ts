/** A drawing as a scene, so that the board shows it like a match. */

import { Scene } from "../../board/scene";
import type { Cell, Drawing, Frame, Layer, Legend, MapMark, MapObject, MapSpec, Patch, PieceKind } from "../../api/types";

const CHUNK = 32;

export class MapScene {
  readonly scene: Scene;
  /** The layer of the scene for each layer of the map spec. */
  readonly shownLayer: number[];
  private readonly groups: { layer: number; marks: MapMark[] }[];
  private readonly amountLayer: number;
  private readonly kinds: Map<string, number>;
  private readonly marks: Map<string, MapMark>;
  private readonly hole: number;
  private pieces = new Map<string, number>();
  private lastPiece = 0;

  constructor(readonly game: string, readonly spec: MapSpec, box: Drawing["box"]) {
    const layers: Layer[] = [{ name: "owner", type: "player" }];
    this.hole = spec.holes ? (spec.layers[0]?.palette?.length ?? 0) : -1; // shown like cells out of sight
    this.shownLayer = spec.layers.map((layer, index) => {
      const most = layer.type === "number" ? Math.min(layer.most ?? 0, 3 * (layer.usual ?? 1)) : 0;
      const { name, type, least = 0, palette = [], styles = {}, glyphs = {} } = layer;
      const holes = index === 0 && spec.holes ? { palette: [...palette, "outside"], hidden_code: this.hole } : { palette };
      layers.push({ name, type, still: true, least, most, ...(type === "code" ? { styles, glyphs } : {}), ...holes });
      return layers.length - 1;
    });
    this.marks = new Map(spec.marks.map((mark) => [mark.name, mark]));
    const free = spec.marks.filter((mark) => !mark.owned);
    this.groups = [...new Set(free.map((mark) => mark.group))].map((group) => {
      const marks = free.filter((mark) => mark.group === group);
      layers.push({ name: group, type: "code", palette: ["", ...marks.map((mark) => mark.name)], glyphs: Object.fromEntries(marks.map((mark) => [mark.name, mark.glyph])) });
      return { layer: layers.length - 1, marks };
    });
    this.amountLayer = spec.marks.some(hasAmount) ? layers.push({ name: "amount", type: "number", most: 100 }) - 1 : -1;
    const kinds: PieceKind[] = [];
    this.kinds = new Map();
    for (const mark of spec.marks)
      if (mark.owned && mark.glyph !== "") {
        this.kinds.set(mark.name, kinds.length);
        kinds.push({ name: mark.name, glyph: mark.glyph });
      }
    const [left, right, top, bottom] = box;
    const dialect = spec.topology === "hex" ? "odd-r" : "square";
    const board = { topology: spec.topology, dialect, size: (right - left + 1) * (bottom - top + 1), box, chunk: CHUNK };
    const legend: Legend = { game, version: 0, board, layers, kinds, events: [], verbs: [], figures: [], ground_layer: layers.findIndex((layer) => layer.styles !== undefined) };
    this.scene = new Scene(legend);
  }

  /** Update cells: the values of layers, and the marks on them. */
  show(cells: Iterable<Cell>, value: (layer: number, cell: Cell) => number, marks: (cell: Cell) => MapObject[], owner: (cell: Cell) => number): void {
    const patches = new Map<number, Patch>();
    const { grid, layers } = this.scene;
    const frame: Frame = { turn: 0, players: Array.from({ length: this.spec.seats }, () => [1]), patches: [], pieces: [], gone: [] };
    for (const cell of cells) {
      const place = grid.place(...cell);
      if (place === null) continue;
      const outside = value(0, cell) < 0;
      if (outside && this.hole < 0) continue;
      const here = outside ? [] : marks(cell);
      const there = this.scene.has(...cell);
      const put = (layer: number, number: number): void => {
        if (there && this.scene.value(layer, ...cell) === number) return;
        const key = place.chunk * layers.length + layer;
        let patch = patches.get(key);
        if (patch === undefined) patches.set(key, (patch = [place.chunk, layer, [], []]));
        patch[2].push(place.offset);
        patch[3].push(number);
      };
      put(0, outside ? -1 : owner(cell));
      this.shownLayer.forEach((layer, index) => put(layer, outside ? (index === 0 ? this.hole : 0) : value(index, cell)));
      for (const group of this.groups) put(group.layer, 1 + group.marks.findIndex((mark) => here.some((object) => object.kind === mark.name)));
      if (this.amountLayer >= 0) put(this.amountLayer, here.reduce((sum, object) => sum + (object.numbers?.["amount"] ?? 0), 0));
      this.showPieces(cell, here, frame);
    }
    frame.patches = [...patches.values()];
    this.scene.apply(frame);
  }

  private showPieces(cell: Cell, here: MapObject[], frame: Frame): void {
    for (const [kind, number] of this.kinds) {
      const key = `${cell[0]},${cell[1]},${kind}`;
      const mark = here.find((object) => object.kind === kind);
      const before = this.pieces.get(key);
      if (mark === undefined) {
        if (before !== undefined) frame.gone?.push(before);
        this.pieces.delete(key);
        continue;
      }
      const id = before ?? ++this.lastPiece;
      this.pieces.set(key, id);
      frame.pieces?.push([id, number, mark.owner ?? -1, ...cell]);
    }
  }

  /** The cells that a mark takes. */
  coveredCells(mark: MapObject): Cell[] {
    const [column, row] = mark.at;
    const steps = this.marks.get(mark.kind)?.covers ?? [];
    return [mark.at, ...steps.map(([q, r]): Cell => [column - (row >> 1) + q + ((row + r) >> 1), row + r])];
  }
}

/** Whether a kind of mark is counted by one number, which a cell can show. */
export function hasAmount(mark: MapMark): boolean {
  const names = Object.keys(mark.numbers ?? {});
  return names.length === 1 && names[0] === "amount";
}
