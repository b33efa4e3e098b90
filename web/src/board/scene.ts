/** The board as it stands: chunks of cells, pieces, players. Frames lead from one state to the next. */

import type { BoardShape, Frame, Layer, Legend, SceneEvent } from "../api/types";
import { gameWords } from "../app/sentences";
import { Grid } from "./geometry";

export interface Piece {
  id: number;
  kind: number;
  owner: number;
  column: number;
  row: number;
  numbers: number[];
}

export interface ChunkCells {
  /** One array a layer, a value a cell, row by row. */
  layers: Int32Array[];
  present: Uint8Array;
  /** For each layer with cells out of sight, what they held when they were last seen; -1 where it was never seen. */
  memory: Map<number, Int32Array>;
  /** For each layer, incremented whenever a value changes, so that renderers know what to repaint. */
  versions: number[];
}

/** What a frame changed, for animations. */
export interface Change {
  whole: boolean;
  moved: { piece: Piece; from: { column: number; row: number } }[];
  gone: Piece[];
  events: SceneEvent[];
}

const MOST_DEPARTED = 20_000;

export class Scene {
  grid: Grid;
  readonly layers: Layer[];
  readonly ownerLayer: number;
  chunks = new Map<number, ChunkCells>();
  pieces = new Map<number, Piece>();
  players: number[][] = [];
  names: string[] = [];
  /** By player its place if the match ended now; empty if that is not known. */
  places: readonly number[] = [];
  /** By team its figures, where teams compete. */
  teams: readonly (readonly number[])[] = [];
  /** By team its name, where teams have names. */
  teamNames: readonly string[] = [];
  /** The names of pieces that have one, such as swarms. */
  readonly pieceNames = new Map<number, string>();
  turn = 0;
  seq = 0;
  /** Incremented by every change of pieces. */
  piecesVersion = 0;
  /** Incremented when another board replaces this one. */
  gridVersion = 0;
  /** Pieces that have left the board: events still name them. */
  private readonly departed = new Map<number, Piece>();
  /** The most that each kind's first number has been: what a full ring of health means. */
  readonly fullest: number[];
  private wanted: ReadonlySet<number> | null = null;
  private readonly teamFigure: number;

  constructor(readonly legend: Legend, names: string[] = []) {
    this.grid = new Grid(legend.board);
    this.layers = legend.layers;
    this.ownerLayer = legend.layers.findIndex((layer) => layer.type === "player" || layer.type === "players");
    this.teamFigure = legend.figures.indexOf(legend.team_figure ?? "");
    this.fullest = legend.kinds.map(() => 1);
    this.names = names;
  }

  /** Hold these chunks only; null for all. */
  want(chunks: ReadonlySet<number> | null): void {
    this.wanted = chunks;
    if (chunks === null) return;
    for (const chunk of this.chunks.keys()) if (!chunks.has(chunk)) this.chunks.delete(chunk);
  }

  apply(frame: Frame): Change {
    const whole = frame.key === true;
    if (whole) this.reset(frame.board ?? null);
    this.turn = frame.turn;
    this.seq = frame.seq ?? 0;
    this.players = frame.players;
    if (frame.names?.length) this.names = frame.names;
    if (whole || frame.places?.length) this.places = frame.places ?? [];
    if (frame.teams?.length) this.teams = frame.teams;
    this.namePieces(frame);
    for (const [chunk, layer, offsets, values] of frame.patches) this.patch(chunk, layer, offsets, values);
    for (const [chunk, layer, offsets, values] of frame.remembered ?? []) this.remember(chunk, layer, offsets, values);
    const change: Change = { whole, moved: [], gone: [], events: frame.events ?? [] };
    this.applyPieces(frame, change);
    return change;
  }

  /** The value of one layer in one cell; null where the cell is not on the board or not held. */
  value(layer: number, column: number, row: number): number | null {
    const place = this.grid.place(column, row);
    const cells = place === null ? undefined : this.chunks.get(place.chunk);
    if (place === null || cells === undefined || cells.present[place.offset] === 0) return null;
    return cells.layers[layer]?.[place.offset] ?? null;
  }

  /** What a cell out of sight held when it was last seen; null where that is not known. */
  lastSeen(layer: number, column: number, row: number): number | null {
    const place = this.grid.place(column, row);
    const known = place === null ? -1 : (this.chunks.get(place.chunk)?.memory.get(layer)?.[place.offset] ?? -1);
    return known < 0 ? null : known;
  }

  has(column: number, row: number): boolean {
    const place = this.grid.place(column, row);
    return place !== null && this.chunks.get(place.chunk)?.present[place.offset] === 1;
  }

  /** Whose colour a player has: in games with teams, the team's. */
  side(player: number): number {
    if (this.teamFigure < 0 || player < 0) return player;
    return this.players[player]?.[this.teamFigure + 1] ?? player;
  }

  /** A piece of the board, or one that has left it; null if it was never seen. */
  knownPiece(id: number): Piece | null {
    return this.pieces.get(id) ?? this.departed.get(id) ?? null;
  }

  /** Note the pieces of earlier frames, which events may name. */
  recall(frames: readonly Frame[]): void {
    for (const frame of frames) this.namePieces(frame);
    for (const frame of frames)
      for (const row of frame.pieces ?? []) {
        const piece = this.pieceFrom(row);
        if (!this.pieces.has(piece.id)) this.depart(piece);
      }
  }

  private namePieces({ piece_names: names }: Frame): void {
    if (this.pieceNames.size >= MOST_DEPARTED) this.pieceNames.clear();
    for (const [id, name] of Object.entries(names ?? {})) this.pieceNames.set(Number(id), name);
  }

  teamName(team: number): string {
    return this.teamNames[team] || gameWords(this.legend).phrase("team", { number: String(team + 1) });
  }

  /** The team of a piece, where it has one; -1 elsewhere. */
  teamOf(piece: Piece): number {
    const index = this.legend.kinds[piece.kind]?.numbers?.indexOf(this.legend.team_figure ?? "") ?? -1;
    return piece.numbers[index] ?? -1;
  }

  /** A number of a piece by its name; 0 if its kind has no such number. */
  numberOf(piece: Piece, name: string): number {
    return piece.numbers[this.legend.kinds[piece.kind]?.numbers?.indexOf(name) ?? -1] ?? 0;
  }

  /** The template of the item whose picture shows a piece; 0 for none. */
  templateOf(piece: Piece): number {
    const name = this.legend.kinds[piece.kind]?.picture;
    return name ? this.numberOf(piece, name) : 0;
  }

  /** How many turns of a piece's task are left, of how many; null without a task. */
  progressOf(piece: Piece): { left: number; total: number } | null {
    const names = this.legend.kinds[piece.kind]?.progress;
    if (!names) return null;
    const [left, total] = names.map((name) => this.numberOf(piece, name));
    return left && total ? { left, total } : null;
  }

  /** Whose colour a piece has: its player's, or its team's; -1 for no one's. */
  sideOf(piece: Piece): number {
    return piece.owner >= 0 ? this.side(piece.owner) : this.teamOf(piece);
  }

  piecesAt(column: number, row: number): Piece[] {
    return [...this.pieces.values()].filter((piece) => piece.column === column && piece.row === row);
  }

  private reset(board: BoardShape | null): void {
    if (board !== null && board.size !== this.grid.shape.size) {
      this.grid = new Grid(board);
      this.gridVersion++;
      this.chunks.clear();
    }
    for (const cells of this.chunks.values()) {
      cells.present.fill(0);
      cells.memory.clear();
      cells.versions = cells.versions.map((version) => version + 1);
    }
    for (const piece of this.pieces.values()) this.depart(piece);
    this.pieces.clear();
    this.piecesVersion++;
  }

  private pieceFrom([id = 0, kind = 0, owner = -1, first = 0, second = 0, ...numbers]: readonly number[]): Piece {
    const [column, row] = this.grid.fromWritten([first, second]);
    return { id, kind, owner, column, row, numbers };
  }

  private depart(piece: Piece): void {
    if (this.departed.size >= MOST_DEPARTED) this.departed.clear();
    this.departed.set(piece.id, piece);
  }

  private patch(chunk: number, layer: number, offsets: number[], values: number[]): void {
    if (this.wanted !== null && !this.wanted.has(chunk)) return;
    let cells = this.chunks.get(chunk);
    if (cells === undefined) {
      const size = this.grid.side ** 2;
      cells = { layers: this.layers.map(() => new Int32Array(size)), present: new Uint8Array(size), memory: new Map(), versions: this.layers.map(() => 0) };
      this.chunks.set(chunk, cells);
    }
    const into = cells.layers[layer];
    if (into === undefined) return;
    for (let index = 0; index < offsets.length; index++) {
      const offset = offsets[index] ?? 0;
      into[offset] = values[index] ?? 0;
      cells.present[offset] = 1;
    }
    cells.versions[layer] = (cells.versions[layer] ?? 0) + 1;
  }

  private remember(chunk: number, layer: number, offsets: number[], values: number[]): void {
    const cells = this.chunks.get(chunk);
    if (cells === undefined) return;
    let memory = cells.memory.get(layer);
    if (memory === undefined) {
      memory = new Int32Array(cells.present.length).fill(-1);
      cells.memory.set(layer, memory);
    }
    for (let index = 0; index < offsets.length; index++) memory[offsets[index] ?? 0] = values[index] ?? -1;
    cells.versions[layer] = (cells.versions[layer] ?? 0) + 1;
  }

  private applyPieces(frame: Frame, change: Change): void {
    for (const id of frame.gone ?? []) {
      const piece = this.pieces.get(id);
      if (piece !== undefined) {
        change.gone.push(piece);
        this.depart(piece);
      }
      this.pieces.delete(id);
    }
    for (const row of frame.pieces ?? []) {
      const piece = this.pieceFrom(row);
      const { id, kind, column, numbers } = piece;
      const before = this.pieces.get(id);
      if (before !== undefined && (before.column !== column || before.row !== piece.row))
        change.moved.push({ piece, from: before });
      this.pieces.set(id, piece);
      this.fullest[kind] = Math.max(this.fullest[kind] ?? 1, numbers[0] ?? 0);
    }
    if (frame.gone?.length || frame.pieces?.length) this.piecesVersion++;
  }
}
