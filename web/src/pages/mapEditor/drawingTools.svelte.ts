/** The tool, the brush and its settings, and the stroke that is being drawn. */

import type { BoardController } from "../../board/boardController";
import type { Cell, MapSpec } from "../../api/types";
import { brushesOf, type Brush, type BrushGroup } from "./brushes";
import type { MapDraft, BrushSettings } from "./mapDraft.svelte";
import { disc, line, cellKey } from "./shapes";
import { MOST_REACH, type Tool } from "./tools";

export class DrawingTools {
  readonly groups: BrushGroup[];
  brush: Brush = $state.raw(undefined as unknown as Brush);
  brushSettings: BrushSettings = $state({ value: 0, owner: 0, numbers: {} });
  tool: Tool = $state("draw");
  /** How far the brush reaches from its middle. */
  reach = $state(0);
  hover: Cell | null = $state.raw(null);
  board: BoardController | null = null;
  private readonly spec: MapSpec;
  private readonly brushes: Brush[];
  /** Where the stroke began. */
  private from: Cell | null = $state.raw(null);
  private last: Cell | null = null;
  /** Where the keys paint: the cell that was last under the mouse or the keys. */
  private cursor: Cell | null = null;

  constructor(private readonly draft: MapDraft) {
    this.spec = draft.spec;
    this.groups = brushesOf(this.spec);
    this.brushes = this.groups.flatMap((group) => group.brushes);
    this.take((this.brushes[1] ?? this.brushes[0]) as Brush);
  }

  /** The layer of amounts that is shown: the brush's own, else the first; -1 where a game has none. */
  get amountLayer(): number {
    return this.brush.kind === "number" ? this.brush.layer : this.spec.layers.findIndex((layer) => layer.type === "number");
  }

  /** The cells that would be painted now. */
  get aimedCells(): Cell[] {
    return this.hover === null || this.tool === "pick" ? [] : this.draft.touchedCells(this.under(this.hover));
  }

  take(brush: Brush): void {
    this.brush = brush;
    const numbers = brush.kind === "mark" ? Object.entries(brush.mark.numbers ?? {}) : [];
    this.brushSettings = {
      ...this.brushSettings,
      value: brush.kind === "number" ? brush.value : this.brushSettings.value,
      numbers: numbers.length === 1 ? Object.fromEntries(numbers.map(([name, span]) => [name, span[2]])) : {},
    };
    if (this.tool === "pick") this.tool = "draw";
  }

  /** Select the brush of a key; false if it has none. */
  takeByKey(letter: string): boolean {
    const found = this.brushes.find((brush) => brush.key === letter);
    if (found !== undefined) this.take(found);
    return found !== undefined;
  }

  resize(more: number): void {
    this.reach = Math.max(0, Math.min(MOST_REACH, this.reach + more));
  }

  cancel(): void {
    this.from = null;
  }

  // ---------------------------------------------------------------- by mouse

  setHover(cell: Cell | null): void {
    this.hover = cell;
    this.cursor = cell ?? this.cursor;
  }

  stroke(phase: "begin" | "move" | "end" | "cancel", cell: Cell | null, event: PointerEvent): void {
    const { draft, brush, brushSettings, tool } = this;
    if (phase === "begin") {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); // the keys are the board's again
      if (cell !== null && (event.altKey || tool === "pick")) this.pick(cell);
      else if (cell !== null && tool === "fill") draft.fill(cell, brush, brushSettings);
      else {
        draft.begin();
        this.from = this.last = cell;
        if (cell !== null && tool === "draw") draft.paint(this.under(cell), brush, brushSettings);
      }
    } else if (phase === "move" && cell !== null && this.last !== null && tool === "draw") {
      draft.paint(uniqueCells(line(draft.grid, this.last, cell).slice(1).flatMap((crossed) => this.under(crossed))), brush, brushSettings);
      this.last = cell;
    } else if (phase === "end" || phase === "cancel") {
      if (phase === "end" && cell !== null && this.from !== null && tool === "line") draft.paint(this.under(cell), brush, brushSettings);
      draft.end();
      if (phase === "cancel" && tool === "draw" && this.from !== null) draft.undo();
      this.from = this.last = null;
    }
  }

  // ---------------------------------------------------------------- by keys

  step(right: number, down: number, painting: boolean): void {
    const { board, cursor } = this;
    if (board === null) return;
    if (board.hover === null && cursor !== null && this.draft.isPaintable(cursor)) board.hover = cursor;
    board.step(right, down);
    if (painting) this.paintAtCursor();
  }

  paintAtCursor(): void {
    const { draft, brush, brushSettings, tool } = this;
    const cell = this.cursorCell();
    if (cell === null) return;
    if (tool === "pick") this.pick(cell);
    else if (tool === "fill") draft.fill(cell, brush, brushSettings);
    else if (tool === "line" && this.from === null) this.from = cell;
    else {
      draft.paint(this.under(cell), brush, brushSettings);
      this.from = null;
    }
  }

  eraseAtCursor(): void {
    const cell = this.cursorCell();
    const eraser = this.brushes.find((brush) => brush.kind === "erase");
    if (cell !== null && eraser !== undefined) this.draft.paint([cell], eraser, this.brushSettings);
  }

  private cursorCell(): Cell | null {
    const cell = this.board?.hover ?? this.cursor;
    if (this.board !== null) this.hover = this.board.hover = cell;
    return cell;
  }

  // ---------------------------------------------------------------- what lies there

  /** The cells under the brush; with the line tool, all cells of the line. */
  private under(cell: Cell): Cell[] {
    const way = this.from === null || this.tool !== "line" ? [cell] : line(this.draft.grid, this.from, cell);
    const wide = this.brush.kind === "mark" && this.brush.mark.once ? 0 : this.reach;
    return wide === 0 ? way : uniqueCells(way.flatMap((centre) => disc(this.draft.grid, centre, wide)));
  }

  /** Select the brush that painted a cell: its mark, else its ground. */
  private pick(cell: Cell): void {
    const { draft } = this;
    const mark = draft.marksAt(cell).at(-1);
    const outside = draft.value(0, cell) < 0;
    const amounts = Math.max(0, this.amountLayer);
    const found = this.brushes.find((brush) => {
      if (mark !== undefined) return brush.kind === "mark" && brush.mark.name === mark.kind;
      if (outside) return brush.kind === "hole";
      return (brush.kind === "code" && brush.value === draft.value(brush.layer, cell)) || (brush.kind === "number" && brush.layer === amounts);
    });
    if (found === undefined) return;
    this.take(found);
    if (mark !== undefined) this.brushSettings = { ...this.brushSettings, owner: mark.owner ?? this.brushSettings.owner, numbers: { ...mark.numbers } };
    if (found.kind === "number") this.brushSettings = { ...this.brushSettings, value: draft.value(found.layer, cell) };
  }
}

function uniqueCells(cells: Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cellKey(cell), cell])).values()];
}
