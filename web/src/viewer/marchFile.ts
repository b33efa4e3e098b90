/** A `.march` file: a magic line, then blocks with kind, length, checksum and a compressed body. */

import { Decompress } from "fzstd";
import type { Frame, Legend, Outcome } from "../api/types";
import { unpack } from "./msgpack";
import { words } from "../i18n";

const MAGIC = "march 1\n";
const HEADER = 16;
/** No block has more bytes: a few kilobytes of a damaged or hostile file could decompress to gigabytes. */
const MOST_DECOMPRESSED = 2 ** 28;

export interface MarchHeader {
  game: string;
  version: number;
  names: string[];
  legend: Legend;
  first_turn: number;
}

export interface MarchEnd {
  turns: number;
  orders: number;
  outcome: Outcome | null;
}

export interface March {
  header: MarchHeader;
  end: MarchEnd;
  /** Blocks of frames, still compressed; each starts with a key frame. */
  frameBlocks: Uint8Array[];
}

export class MarchProblem extends Error {}

export function readMarch(bytes: Uint8Array): March {
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw new MarchProblem(words.viewer.noReplay);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks: { kind: string; body: Uint8Array }[] = [];
  let place = MAGIC.length;
  while (place < bytes.length) {
    if (place + HEADER > bytes.length) throw new MarchProblem(words.viewer.breaksOff);
    const kind = new TextDecoder().decode(bytes.subarray(place, place + 4));
    const length = view.getUint32(place + 4, true);
    const body = bytes.subarray(place + HEADER, place + HEADER + length);
    if (body.length < length) throw new MarchProblem(words.viewer.breaksOffInside);
    blocks.push({ kind, body });
    place += HEADER + length;
  }
  const block = <T>(kind: string): T => {
    const found = blocks.find((each) => each.kind === kind);
    if (found === undefined) throw new MarchProblem(words.viewer.noBlock(kind));
    return decode<T>(found.body);
  };
  const frameBlocks = blocks.filter(({ kind }) => kind === "FILM").map(({ body }) => body);
  if (frameBlocks.length === 0) throw new MarchProblem(words.viewer.noFilm);
  return { header: block<MarchHeader>("HEAD"), end: block<MarchEnd>("LAST"), frameBlocks };
}

export function readFrames(body: Uint8Array): Frame[] {
  return decode<Frame[]>(body);
}

function decode<T>(body: Uint8Array): T {
  try {
    return unpack(decompress(body, MOST_DECOMPRESSED)) as T;
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new MarchProblem(words.viewer.badBlock(why));
  }
}

/** The content of a block; stops as soon as it exceeds `limit` bytes. */
function decompress(body: Uint8Array, limit: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Decompress((chunk) => {
    size += chunk.length;
    if (size > limit) throw new Error(`its content has more than ${limit} bytes, the limit`);
    chunks.push(chunk);
  });
  stream.push(body, true);
  const content = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    content.set(chunk, place);
    place += chunk.length;
  }
  return content;
}
