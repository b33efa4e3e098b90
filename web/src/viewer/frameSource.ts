/** Where frames come from: a server, or a file that was opened. */

import { api } from "../api/client";
import type { Frame, Legend, Outcome } from "../api/types";
import { SMALL_BOARD } from "../board/boardController";
import { Grid } from "../board/geometry";
import { readFrames, type March } from "./marchFile";

/** Frames from a key frame on. */
export interface Block {
  frames: Frame[];
  /** Whether nothing more can come before the next block. */
  complete: boolean;
  /** Which chunks its patches hold; null for all. */
  chunks: ReadonlySet<number> | null;
}

export interface FrameSource {
  readonly legend: Legend;
  readonly names: string[];
  readonly outcome: Outcome | null;
  readonly first: number;
  /** The last turn that can be shown; a running match goes on. */
  last: number;
  /** Whether a seat's view differs from a spectator's. */
  readonly fogged: boolean;
  /** The number of the block that holds a turn. */
  number(turn: number, seq: number): number;
  load(number: number, viewpoint: number | null, chunks: ReadonlySet<number> | null): Promise<Block>;
  /** The frames of some turns with their events and pieces only; none from a file, whose key frames have their events. */
  withoutCells(from: number, count: number, viewpoint: number | null): Promise<Frame[]>;
}

const TURNS = 50;
const TURNS_OF_LARGE_BOARDS = 10;

export class ServerSource implements FrameSource {
  last: number;
  outcome: Outcome | null = null;
  private readonly turns: number;

  constructor(
    private readonly match: string,
    readonly legend: Legend,
    readonly names: string[],
    readonly first: number,
    last: number,
    readonly fogged: boolean,
  ) {
    this.last = last;
    this.turns = new Grid(legend.board).chunkCount > SMALL_BOARD ? TURNS_OF_LARGE_BOARDS : TURNS;
  }

  number(turn: number): number {
    return Math.floor((turn - this.first) / this.turns);
  }

  async load(number: number, viewpoint: number | null, chunks: ReadonlySet<number> | null): Promise<Block> {
    const from = this.first + number * this.turns;
    const frames = await api.frames(this.match, {
      from,
      count: this.turns,
      seat: viewpoint,
      chunks: chunks === null ? null : [...chunks],
    });
    const reached = frames.at(-1)?.turn ?? from;
    return { frames, complete: reached >= from + this.turns || this.outcome !== null, chunks };
  }

  withoutCells(from: number, count: number, viewpoint: number | null): Promise<Frame[]> {
    return api.frames(this.match, { from, count, seat: viewpoint, chunks: [] });
  }
}

export class FileSource implements FrameSource {
  readonly legend: Legend;
  readonly names: string[];
  readonly outcome: Outcome | null;
  readonly first: number;
  readonly last: number;
  readonly fogged = false;
  private readonly starts: { turn: number; seq: number }[];

  constructor(private readonly march: March) {
    this.legend = march.header.legend;
    this.names = march.header.names;
    this.outcome = march.end.outcome;
    this.first = march.header.first_turn;
    this.last = this.first + march.end.turns;
    this.starts = march.frameBlocks.map((body) => {
      const [frame] = readFrames(body);
      return { turn: frame?.turn ?? 0, seq: frame?.seq ?? 0 };
    });
  }

  number(turn: number, seq: number): number {
    const later = this.starts.findIndex((start) => start.turn > turn || (start.turn === turn && start.seq > seq));
    return Math.max(0, (later < 0 ? this.starts.length : later) - 1);
  }

  load(number: number): Promise<Block> {
    const body = this.march.frameBlocks[number];
    const frames = body === undefined ? [] : readFrames(body);
    return Promise.resolve({ frames, complete: true, chunks: null });
  }

  withoutCells(): Promise<Frame[]> {
    return Promise.resolve([]);
  }
}
