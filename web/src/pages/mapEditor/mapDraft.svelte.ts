/** A map that is drawn, with undo and redo. */

import type { Grid, Point } from "../../board/geometry";
import type { Cell, Drawing, MapMark, MapObject, MapSpec } from "../../api/types";
import type { Brush } from "./brushes";
import { cellKey, floodFill } from "./shapes";
import { MapScene } from "./mapScene";
import { listSymmetries, imagesOf, ownerOf, type Image, type Symmetry } from "./symmetry";

/** One step of undo: before and after, cell by cell, or the whole drawing. */
interface Step {
  cells: Map<string, { at: Cell; before: Content; after: Content }>;
  whole: { before: Drawing; after: Drawing } | null;
}

interface Content {
  values: number[];
  marks: MapObject[];
}

/** What a brush paints: an amount, a player, the numbers of a mark. */
export interface BrushSettings {
  value: number;
  owner: number;
  numbers: Record<string, number>;
}

const MOST_STEPS = 500;

export class MapDraft {
  mapScene = $state.raw<MapScene>(undefined as unknown as MapScene);
  /** Incremented by every change. */
  revision = $state(0);
  done = $state(0);
  undone = $state(0);
  symmetry = $state<Symmetry>("none");
  /** The symmetries that map this map's cells onto each other. */
  symmetries = $state.raw<Symmetry[]>(["none"]);
  private box: Drawing["box"] = [0, 0, 0, 0];
  private width = 1;
  private layers: Int32Array[] = [];
  private marks = new Map<string, MapObject[]>();
  private owners = new Map<string, number>();
  private past: Step[] = [];
  private future: Step[] = [];
  private step: Step | null = null;
  private knownMiddle: Point | null = null;
  private middleOf: MapScene | null = null;
  private readonly kinds: Map<string, MapMark>;

  constructor(readonly game: string, readonly spec: MapSpec, drawing: Drawing) {
    this.kinds = new Map(spec.marks.map((mark) => [mark.name, mark]));
    this.load(drawing);
  }

  get grid(): Grid {
    return this.mapScene.scene.grid;
  }

  /** The last step: compare it with an earlier one to see whether something has changed. */
  get latest(): object | null {
    void this.done;
    void this.undone;
    return this.past.at(-1) ?? null;
  }

  get drawing(): Drawing {
    return { box: this.box, layers: this.layers.map((layer) => [...layer]), marks: [...this.marks.values()].flat().sort((a, b) => (a.owner ?? -1) - (b.owner ?? -1)) };
  }

  /** How many cells there are, and whose marks. */
  get counts(): { cells: number; players: number } {
    void this.revision;
    const owners = new Set([...this.marks.values()].flat().flatMap((mark) => (mark.owner === undefined || mark.owner < 0 ? [] : [mark.owner])));
    return { cells: this.layers[0]?.reduce((sum, value) => sum + (value >= 0 ? 1 : 0), 0) ?? 0, players: owners.size };
  }

  value(layer: number, [column, row]: Cell): number {
    const [left, right, top, bottom] = this.box;
    if (column < left || column > right || row < top || row > bottom) return -1;
    return this.layers[layer]?.[(row - top) * this.width + column - left] ?? -1;
  }

  marksAt(cell: Cell): MapObject[] {
    return this.marks.get(cellKey(cell)) ?? [];
  }

  /** Whether a cell can be painted: it is on the map, or may become part of it. */
  isPaintable(cell: Cell): boolean {
    return this.mapScene.scene.has(...cell);
  }

  // ---------------------------------------------------------------- painting

  /** Everything until `end` is one step. */
  begin(): void {
    this.end();
    this.step = { cells: new Map(), whole: null };
  }

  end(): void {
    const { step } = this;
    this.step = null;
    if (step === null || (step.cells.size === 0 && step.whole === null)) return;
    for (const change of step.cells.values()) change.after = this.content(change.at);
    this.past.push(step);
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future = [];
    this.count();
    this.findMiddle();
  }

  /** Paint cells and their images. */
  paint(cells: Cell[], brush: Brush, brushSettings: BrushSettings): void {
    const alone = this.step === null;
    if (alone) this.begin();
    const changed: Cell[] = [];
    const middle = this.middle;
    for (const cell of cells)
      for (const image of imagesOf(this.grid, this.symmetry, middle, cell))
        if (this.isPaintable(image.cell)) this.touch(image, brush, brushSettings, changed);
    this.refresh(changed);
    if (alone) this.end();
  }

  /** Flood fill from a cell. */
  fill(cell: Cell, brush: Brush, brushSettings: BrushSettings): void {
    const layer = brush.kind === "code" || brush.kind === "number" ? brush.layer : 0;
    const wanted = this.value(layer, cell);
    this.paint(floodFill(this.grid, cell, (near) => this.isPaintable(near) && this.value(layer, near) === wanted), brush, brushSettings);
  }

  /** The cells that a stroke over these would change. */
  touchedCells(cells: Cell[]): Cell[] {
    const { middle } = this;
    const found = new Map(cells.flatMap((cell) => imagesOf(this.grid, this.symmetry, middle, cell)).map((image) => [cellKey(image.cell), image.cell]));
    return [...found.values()].filter((cell) => this.isPaintable(cell));
  }

  private touch({ cell, number }: Image, brush: Brush, brushSettings: BrushSettings, changed: Cell[]): void {
    const owner = ownerOf(this.symmetry, brushSettings.owner, number, this.spec.seats);
    const outside = this.value(0, cell) < 0;
    if (brush.kind === "mark" && (outside || this.hasMark(cell, brush.mark, owner, brushSettings.numbers))) return;
    if ((brush.kind === "code" || brush.kind === "number") && !outside && this.marksAt(cell).length === 0 && this.value(brush.layer, cell) === (brush.kind === "number" ? brushSettings.value : brush.value)) return;
    if (brush.kind === "mark" && brush.mark.once) this.takeAway(brush.mark, owner, changed);
    this.remember(cell);
    changed.push(cell);
    const here = this.marksAt(cell);
    if (brush.kind === "hole") this.put(cell, this.spec.layers.map(() => -1), []);
    else if (brush.kind === "erase") {
      const usual = here.length === 0 && !outside ? this.usual() : this.content(cell).values;
      this.put(cell, usual, []);
    } else if (brush.kind === "mark") {
      const { mark } = brush;
      const values = this.content(cell).values;
      if (mark.ground !== undefined && mark.ground !== null) values[0] = mark.ground;
      const added: MapObject = { kind: mark.name, at: cell, ...(mark.owned ? { owner } : {}), ...(Object.keys(brushSettings.numbers).length > 0 ? { numbers: { ...brushSettings.numbers } } : {}) };
      this.put(cell, values, [...here.filter((object) => this.kinds.get(object.kind)?.group !== mark.group), added]);
    } else {
      const values = outside ? this.usual() : this.content(cell).values;
      values[brush.layer] = brush.kind === "number" ? brushSettings.value : brush.value;
      const stays = (object: MapObject): boolean => brush.layer > 0 || (this.kinds.get(object.kind)?.ground ?? values[0]) === values[0];
      this.put(cell, values, here.filter(stays));
    }
  }

  private hasMark(cell: Cell, mark: MapMark, owner: number, numbers: Record<string, number>): boolean {
    return this.marksAt(cell).some((object) => object.kind === mark.name && (!mark.owned || object.owner === owner) && JSON.stringify(object.numbers ?? {}) === JSON.stringify(numbers));
  }

  /** Remove a player's only mark of a kind before it is placed elsewhere. */
  private takeAway(mark: MapMark, owner: number, changed: Cell[]): void {
    for (const list of [...this.marks.values()])
      for (const object of list)
        if (object.kind === mark.name && object.owner === owner) {
          this.remember(object.at);
          changed.push(...this.mapScene.coveredCells(object));
          this.put(object.at, this.content(object.at).values, this.marksAt(object.at).filter((other) => other !== object));
        }
  }

  // ---------------------------------------------------------------- undo and redo

  undo(): void {
    this.end();
    const step = this.past.pop();
    if (step === undefined) return;
    this.future.push(step);
    this.apply(step, "before");
  }

  redo(): void {
    const step = this.future.pop();
    if (step === undefined) return;
    this.past.push(step);
    this.apply(step, "after");
  }

  /** Replace the drawing; this can be undone. */
  replace(drawing: Drawing): void {
    this.end();
    this.past.push({ cells: new Map(), whole: { before: this.drawing, after: drawing } });
    this.future = [];
    this.load(drawing);
    this.count();
  }

  private apply(step: Step, when: "before" | "after"): void {
    if (step.whole !== null) this.load(step.whole[when]);
    else {
      for (const change of step.cells.values()) this.put(change.at, change[when].values, change[when].marks);
      this.refresh([...step.cells.values()].map((change) => change.at));
      this.findMiddle();
    }
    this.count();
  }

  private count(): void {
    this.done = this.past.length;
    this.undone = this.future.length;
  }

  // ---------------------------------------------------------------- what is where

  private load(drawing: Drawing): void {
    this.box = drawing.box;
    this.width = drawing.box[1] - drawing.box[0] + 1;
    this.layers = drawing.layers.map((layer) => Int32Array.from(layer));
    this.marks = new Map();
    for (const mark of drawing.marks ?? []) this.marks.set(cellKey(mark.at), [...this.marksAt(mark.at), mark]);
    this.mapScene = new MapScene(this.game, this.spec, drawing.box);
    this.refresh(this.cells());
    this.findMiddle();
  }

  private cells(): Cell[] {
    const [left, , top] = this.box;
    return Array.from(this.layers[0] ?? [], (_, index): Cell => [left + (index % this.width), top + Math.floor(index / this.width)]);
  }

  private usual(): number[] {
    return this.spec.layers.map((layer) => layer.usual ?? 0);
  }

  private content(cell: Cell): Content {
    return { values: this.layers.map((_, layer) => this.value(layer, cell)), marks: [...this.marksAt(cell)] };
  }

  private remember(at: Cell): void {
    const key = cellKey(at);
    if (this.step !== null && !this.step.cells.has(key)) {
      const before = this.content(at);
      this.step.cells.set(key, { at, before, after: before });
    }
  }

  private put(cell: Cell, values: number[], marks: MapObject[]): void {
    const [left, , top] = this.box;
    const index = (cell[1] - top) * this.width + cell[0] - left;
    values.forEach((value, layer) => {
      const into = this.layers[layer];
      if (into !== undefined) into[index] = value;
    });
    if (marks.length > 0) this.marks.set(cellKey(cell), marks);
    else this.marks.delete(cellKey(cell));
  }

  /** Update cells, with everything that marks on them cover. */
  private refresh(cells: Cell[]): void {
    const owners = new Map<string, number>();
    const wanted = new Map(cells.map((cell) => [cellKey(cell), cell]));
    for (const list of this.marks.values())
      for (const mark of list)
        if (mark.owner !== undefined && mark.owner >= 0)
          for (const covered of this.mapScene.coveredCells(mark)) owners.set(cellKey(covered), mark.owner);
    for (const key of new Set([...this.owners.keys(), ...owners.keys()]))
      if (owners.get(key) !== this.owners.get(key)) {
        const [column = 0, row = 0] = key.split(",").map(Number);
        wanted.set(key, [column, row]);
      }
    this.owners = owners;
    this.mapScene.show(wanted.values(), (layer, cell) => this.value(layer, cell), (cell) => this.marksAt(cell), (cell) => owners.get(cellKey(cell)) ?? -1);
    this.revision++;
  }

  private get middle(): Point {
    return this.knownMiddle ?? { x: 0, y: 0 };
  }

  /** The point about which the map is turned: the middle of its cells, where any may be missing. It stays during a stroke. */
  private findMiddle(): void {
    if (this.knownMiddle !== null && this.mapScene === this.middleOf && this.spec.shape !== "any") return;
    const rect = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    const present = this.cells().filter((cell) => this.spec.shape === "rectangle" || this.value(0, cell) >= 0);
    for (const cell of present) {
      const { x, y } = this.grid.centre(...cell);
      rect.left = Math.min(rect.left, x);
      rect.right = Math.max(rect.right, x);
      rect.top = Math.min(rect.top, y);
      rect.bottom = Math.max(rect.bottom, y);
    }
    this.middleOf = this.mapScene;
    this.knownMiddle = { x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 };
    this.symmetries = listSymmetries(this.grid, this.knownMiddle, present, (cell) => this.spec.shape === "rectangle" || this.value(0, cell) >= 0);
    if (!this.symmetries.includes(this.symmetry)) this.symmetry = "none";
  }
}
