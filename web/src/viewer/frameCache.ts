/** An LRU cache of blocks of frames: scrubbing is instant, memory bounded. */

import type { Frame } from "../api/types";
import type { Block, FrameSource } from "./frameSource";

const MOST_BLOCKS = 24;
/** How many turns the server gives at once. */
const MOST_TURNS = 200;

export interface Moment {
  turn: number;
  seq: number;
}

export class FrameCache {
  private readonly blocks = new Map<number, Block>();
  private readonly loading = new Map<number, Promise<Block>>();
  private chunks: ReadonlySet<number> | null = null;

  constructor(
    readonly source: FrameSource,
    readonly viewpoint: number | null,
    private readonly loaded: (frames: Frame[]) => void,
  ) {}

  /** Hold these chunks and no others; null for all. */
  see(chunks: ReadonlySet<number> | null): void {
    this.chunks = chunks;
    if (chunks === null) return;
    for (const [number, block] of this.blocks) this.blocks.set(number, restrict(block, chunks));
  }

  /** The block of a moment, if it is here and holds every chunk in view. */
  getCached(turn: number, seq: number): Block | null {
    const number = this.source.number(turn, seq);
    const block = this.blocks.get(number);
    if (block === undefined || !this.suffices(block, turn)) return null;
    this.blocks.delete(number); // the most recently used one is evicted last
    this.blocks.set(number, block);
    return block;
  }

  /** The block of a moment, loaded where it is missing. */
  async block(turn: number, seq: number): Promise<Block> {
    const here = this.getCached(turn, seq);
    if (here !== null) return here;
    const number = this.source.number(turn, seq);
    const pending = this.loading.get(number);
    if (pending !== undefined) {
      const block = await pending;
      if (this.suffices(block, turn)) return block;
    }
    const promise = this.fetch(number);
    this.loading.set(number, promise);
    try {
      return await promise;
    } finally {
      if (this.loading.get(number) === promise) this.loading.delete(number);
    }
  }

  /** The frame that led to a moment, without cells: a key frame may have no events. */
  async leadingTo({ turn, seq }: Moment): Promise<Frame | null> {
    const frames = await this.source.withoutCells(seq > 0 ? turn : turn - 1, 1, this.viewpoint);
    return frames.findLast((frame) => frame.turn === turn && (frame.seq ?? 0) === seq && frame.key !== true) ?? null;
  }

  /** The frames after one moment up to another, without cells, the newest turns of them. */
  async between(after: Moment, until: Moment): Promise<Frame[]> {
    const first = Math.max(after.turn, until.turn - MOST_TURNS + 1, this.source.first);
    const frames = await this.source.withoutCells(first, until.turn - first + 1, this.viewpoint);
    return frames.filter((frame) => frame.key !== true && isAfter(frame, after) && !isAfter(frame, until));
  }

  /** Load the block of a moment in the background. */
  prefetch(turn: number): void {
    if (turn < this.source.first || turn > this.source.last || this.getCached(turn, 0) !== null) return;
    if (!this.loading.has(this.source.number(turn, 0))) void this.block(turn, 0).catch(() => undefined);
  }

  /** Every chunk that is held for any turn. */
  heldChunks(): Set<number> {
    const held = new Set<number>();
    for (const block of this.blocks.values())
      for (const frame of block.frames) for (const [chunk] of frame.patches) held.add(chunk);
    return held;
  }

  private suffices(block: Block, turn: number): boolean {
    const reached = block.complete || (block.frames.at(-1)?.turn ?? -1) >= turn;
    const { chunks } = this;
    const held = block.chunks;
    return reached && (held === null || (chunks !== null && [...chunks].every((chunk) => held.has(chunk))));
  }

  private async fetch(number: number): Promise<Block> {
    const wanted = this.chunks;
    const have = this.blocks.get(number);
    const partly = have !== undefined && have.complete && have.chunks !== null && wanted !== null;
    const missing = partly ? new Set([...wanted].filter((chunk) => !have.chunks?.has(chunk))) : wanted;
    const fetched = await this.source.load(number, this.viewpoint, missing);
    let block = partly ? mergeBlocks(have, fetched) : fetched;
    if (this.chunks !== null && block.chunks !== null) block = restrict(block, this.chunks);
    this.blocks.set(number, block);
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= MOST_BLOCKS) break;
      if (oldest !== number) this.blocks.delete(oldest);
    }
    this.loaded(block.frames);
    return block;
  }
}

function restrict(block: Block, chunks: ReadonlySet<number>): Block {
  if (block.chunks === null) return block;
  const held = new Set([...block.chunks].filter((chunk) => chunks.has(chunk)));
  if (held.size === block.chunks.size) return block;
  const frames = block.frames.map((frame) => ({ ...frame, patches: frame.patches.filter(([chunk]) => held.has(chunk)) }));
  return { ...block, frames, chunks: held };
}

/** The same frames with the cells of further chunks. */
function mergeBlocks(block: Block, more: Block): Block {
  const name = (frame: Frame): string => `${frame.turn}:${frame.seq ?? 0}`;
  const others = new Map(more.frames.map((frame) => [name(frame), frame]));
  const frames = block.frames.map((frame) => ({
    ...frame,
    patches: [...frame.patches, ...(others.get(name(frame))?.patches ?? [])],
  }));
  return { frames, complete: block.complete, chunks: new Set([...(block.chunks ?? []), ...(more.chunks ?? [])]) };
}

function isAfter(frame: Frame, { turn, seq }: Moment): boolean {
  return frame.turn > turn || (frame.turn === turn && (frame.seq ?? 0) > seq);
}
