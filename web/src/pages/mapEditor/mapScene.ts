/** A drawing as the board shows it: the same scene that frames of a match make, so that it looks the same. */

import { Scene } from "../../board/scene";
import type { Cell, Drawing, Frame, Layer, Legend, MapKit, MapMark, Mark, Patch, PieceKind } from "../../api/types";

const CHUNK = 32;

/** Where the parts of a drawing are shown. */
export class Sheet {
  readonly scene: Scene;
  /** The layer of the scene for each layer of the kit. */
  readonly shownLayer: number[];
  private readonly groups: { layer: number; marks: MapMark[] }[];
  private readonly amountLayer: number;
  private readonly kinds: Map<string, number>;
  private readonly marks: Map<string, MapMark>;
  private readonly hole: number;
  private pieces = new Map<string, number>();
  private lastPiece = 0;

  constructor(readonly game: string, readonly kit: MapKit, box: Drawing["box"]) {
    const layers: Layer[] = [{ name: "owner", type: "player" }];
    this.hole = kit.holes ? (kit.layers[0]?.palette?.length ?? 0) : -1;
    this.shownLayer = kit.layers.map((layer, index) => {
      const most = layer.type === "number" ? Math.min(layer.most ?? 0, 3 * (layer.usual ?? 1)) : 0;
      layers.push({ name: layer.name, type: layer.type, still: true, least: layer.least ?? 0, most, palette: [...(layer.palette ?? []), ...(index === 0 && kit.holes ? ["hidden"] : [])] });
      return layers.length - 1;
    });
    this.marks = new Map(kit.marks.map((mark) => [mark.name, mark]));
    const free = kit.marks.filter((mark) => !mark.owned);
    this.groups = [...new Set(free.map((mark) => mark.group))].map((group) => {
      const marks = free.filter((mark) => mark.group === group);
      layers.push({ name: group, type: "code", palette: ["", ...marks.map((mark) => mark.glyph)] });
      return { layer: layers.length - 1, marks };
    });
    this.amountLayer = kit.marks.some(hasAmount) ? layers.push({ name: "amount", type: "number", most: 100 }) - 1 : -1;
    const kinds: PieceKind[] = [];
    this.kinds = new Map();
    for (const mark of kit.marks)
      if (mark.owned && mark.glyph !== "") {
        this.kinds.set(mark.name, kinds.length);
        kinds.push({ name: mark.name, glyph: mark.glyph });
      }
    const [left, right, top, bottom] = box;
    const dialect = kit.topology === "hex" ? "odd-r" : "square";
    const board = { topology: kit.topology, dialect, size: (right - left + 1) * (bottom - top + 1), box, chunk: CHUNK };
    const legend: Legend = { game, version: 0, board, layers, kinds, events: [], verbs: [], figures: [] };
    this.scene = new Scene(legend);
  }

  /** Show cells anew: what the layers have there, and what stands on them. */
  show(cells: Iterable<Cell>, value: (layer: number, cell: Cell) => number, marks: (cell: Cell) => Mark[], owner: (cell: Cell) => number): void {
    const patches = new Map<number, Patch>();
    const { grid, layers } = this.scene;
    const frame: Frame = { turn: 0, players: Array.from({ length: this.kit.seats }, () => [1]), patches: [], pieces: [], gone: [] };
    for (const cell of cells) {
      const place = grid.place(...cell);
      if (place === null) continue;
      const outside = value(0, cell) < 0;
      if (outside && this.hole < 0) continue;
      const here = outside ? [] : marks(cell);
      const there = this.scene.has(...cell);
      const put = (layer: number, number: number): void => {
        if (there && this.scene.value(layer, ...cell) === number) return; // nothing to paint anew
        const key = place.chunk * layers.length + layer;
        let patch = patches.get(key);
        if (patch === undefined) patches.set(key, (patch = [place.chunk, layer, [], []]));
        patch[2].push(place.offset);
        patch[3].push(number);
      };
      put(0, outside ? -1 : owner(cell));
      this.shownLayer.forEach((layer, index) => put(layer, outside ? (index === 0 ? this.hole : 0) : value(index, cell)));
      for (const group of this.groups) put(group.layer, 1 + group.marks.findIndex((mark) => here.some((one) => one.kind === mark.name)));
      if (this.amountLayer >= 0) put(this.amountLayer, here.reduce((sum, one) => sum + (one.numbers?.["amount"] ?? 0), 0));
      this.showPieces(cell, here, frame);
    }
    frame.patches = [...patches.values()];
    this.scene.apply(frame);
  }

  private showPieces(cell: Cell, here: Mark[], frame: Frame): void {
    for (const [kind, number] of this.kinds) {
      const key = `${cell[0]},${cell[1]},${kind}`;
      const mark = here.find((one) => one.kind === kind);
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
  covered(mark: Mark): Cell[] {
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
