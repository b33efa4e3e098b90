/** What travels between server and page: a mirror of `marchland.messages`. */

import type { Schema, Values } from "../ui/form/schema";

export type LayerType = "code" | "player" | "players" | "number";
export type Motion = "" | "glide" | "arc" | "ripple" | "fade";
export type ArgumentType = "cell" | "piece" | "player" | "number" | "steps" | "choice";
export type PickKind = "piece" | "cell" | "direction" | "path" | "number" | "choice" | "text";
export type Cell = [number, number];

export interface Layer {
  name: string;
  type: LayerType;
  palette?: string[];
  least?: number;
  most?: number;
  /** The layer never changes: only frames that hold whole chunks tell it. */
  still?: boolean;
}

export interface PieceKind {
  name: string;
  glyph: string;
  numbers?: string[];
}

export interface EventKind {
  name: string;
  args: Record<string, ArgumentType>;
  motion?: Motion;
  choices?: string[];
}

export interface Parameter {
  name: string;
  pick: PickKind;
  optional?: boolean;
  choices?: string[];
}

export interface Verb {
  do: string;
  params: Parameter[];
  help?: string;
  key?: string;
  when?: "turn" | "now";
  role?: string;
}

export interface BoardShape {
  topology: "square" | "hex";
  dialect: string;
  size: number;
  /** Least and greatest column, least and greatest row. */
  box: [number, number, number, number];
  chunk: number;
}

export interface Legend {
  game: string;
  version: number;
  board: BoardShape;
  layers: Layer[];
  kinds: PieceKind[];
  events: EventKind[];
  verbs: Verb[];
  figures: string[];
}

/** Chunk, layer, offsets inside the chunk row by row, their values. */
export type Patch = [chunk: number, layer: number, offsets: number[], values: number[]];
export type Argument = number | number[] | null;
export type SceneEvent = [kind: number, args: Argument[]];

export interface Frame {
  turn: number;
  /** For each player whether it lives, then its figures in the legend's order. */
  players: number[][];
  patches: Patch[];
  seq?: number;
  key?: boolean;
  names?: string[];
  board?: BoardShape | null;
  /** Id, kind, owner (-1 nobody), the cell's two coordinates, numbers. */
  pieces?: number[][];
  gone?: number[];
  events?: SceneEvent[];
  /** Cells out of sight as they were last seen: in a key frame all of them, else those that have left. */
  remembered?: Patch[];
  audience?: number | null;
}

/** An order as it travels: its verb under `do`, its parameters beside it. */
export type Order = { do: string } & Record<string, unknown>;

export interface Result {
  order: unknown;
  ok: boolean;
  reason: string;
  sentence: string;
}

export interface Standing {
  player: number;
  name: string;
  place: number;
  figures: Record<string, number>;
}

export interface Outcome {
  ranking: Standing[];
  reason: string;
}

export type MatchState = "lobby" | "running" | "over" | "broken";
export type Role = "player" | "organiser" | "admin";

export type Clock =
  | { kind: "ready" }
  | { kind: "every"; seconds: number; early?: boolean }
  | { kind: "times"; times: string[] };

export interface SeatInfo {
  seat: number;
  kind: "open" | "human" | "bot" | "builtin" | "empty";
  name?: string;
  account?: string | null;
  bot?: string;
  missed?: number;
}

export interface MatchInfo {
  id: string;
  game: string;
  name: string;
  state: MatchState;
  turn: number;
  last_turn: number | null;
  seats: SeatInfo[];
  clock: Clock;
  config: Record<string, unknown>;
  fogged: boolean;
  spectator_delay: number | null;
  password: boolean;
  created: number;
  closes: number | null;
  now: number;
  outcome: Outcome | null;
  creator: string | null;
  room: string | null;
  forked_from: string | null;
}

/** How far the server is with loading a game. */
export interface GameLoading {
  game: string;
  state: "waiting" | "compiling" | "loaded" | "failed";
  /** The compiled fraction, from 0 to 1. */
  progress: number;
  error: string;
}

export interface RoomInfo {
  name: string;
  template: NewMatch;
  pause: number;
  open: boolean;
  match: string | null;
}

export interface AccountInfo {
  id: string;
  name: string;
  role: Role;
  created: number;
}

export interface Receipt {
  turn: number;
  orders: number;
  received: number;
}

/** A seat's orders for the open turn, as they would be carried out now. */
export interface Pending {
  turn: number;
  orders: Order[];
  ready: boolean;
}

/** What became of one seat's orders in one turn or immediate action. */
export interface TurnLog {
  turn: number;
  seq: number;
  results: Result[];
  late: boolean;
  latency: number | null;
}

/** A game as a host may offer it. */
export interface GameInfo {
  name: string;
  version: number;
  players: [least: number, most: number];
  fogged: boolean;
  immediate: boolean;
  merging: "replace" | "unit" | "append";
  presets: string[];
  bots: string[];
  config_schema: Schema;
  verbs: Verb[];
  maps: MapKit;
  preset_field: string;
  preset_values: Record<string, Values>;
  items: Record<string, Schema>;
  jobs: Record<string, string>;
  /** The settings that a season sets by its teams and its clock. */
  seasonal: string[];
}

export interface SeatWish {
  kind?: "open" | "builtin" | "empty";
  bot?: string;
  name?: string;
}

export interface NewMatch {
  game: string;
  seats: SeatWish[];
  name?: string;
  rules?: string | null;
  config?: Values;
  map?: unknown;
  clock?: Clock;
  password?: string;
  auto_start?: boolean;
  spectator_delay?: number | null;
  seed?: number | null;
}

export interface Joined {
  match: string;
  seat: number;
  name: string;
}

export interface Acted {
  turn: number;
  seq: number;
  result: Result;
  events: Record<string, unknown>[];
}

/** A cell that can be reached, at what cost and from where; no parent next to the start. */
export interface Step {
  cell: Cell;
  cost: number;
  parent: Cell | null;
}

/** The menu of legal orders: what may be picked for a verb's next parameter. */
export type Menu =
  | { pick: "cell"; param: string; cells: Cell[]; steps?: Step[] }
  | { pick: "piece"; param: string; pieces: number[]; names?: string[] }
  | { pick: "number"; param: string; least: number; most: number; usual?: number | null }
  | { pick: "choice"; param: string; choices: (string | boolean)[]; optional?: boolean }
  | { pick: "path"; param: string; steps: Step[] };

export interface Hello {
  type: "hello";
  match: string;
  game: string;
  seat: number | null;
  state: MatchState;
  now: number;
  legend: Legend;
}

export interface News {
  type: "news";
  turn: number;
  seq: number;
  state: MatchState;
  now: number;
  closes?: number | null;
  frame?: Frame | null;
  view?: unknown;
  results?: Result[] | null;
  late?: boolean;
  outcome?: Outcome | null;
}

export interface Skipped {
  type: "skipped";
  count: number;
}

export interface Answer {
  type: "answer";
  key: string;
  receipt?: Receipt | null;
  acted?: Acted | null;
  error?: string;
  sentence?: string;
}

export type ServerMessage = Hello | News | Skipped | Answer;

export type ClientMessage =
  | { type: "orders"; orders: unknown[]; key: string; turn?: number | null; ready?: boolean }
  | { type: "act"; order: unknown; key: string }
  | { type: "see"; chunks: number[] | null };

/** The least, the most, and what is usual. */
export type Span = [least: number, most: number, usual: number];

export interface MapLayer {
  name: string;
  type: "code" | "number";
  palette?: string[];
  keys?: string[];
  least?: number;
  most?: number;
  usual?: number;
}

export interface MapMark {
  name: string;
  glyph: string;
  key: string;
  /** A cell has one mark of a group at most. */
  group: string;
  owned?: boolean;
  once?: boolean;
  /** What the first layer is under it. */
  ground?: number | null;
  /** Cells that it takes besides its own, as axial steps. */
  covers?: Cell[];
  numbers?: Record<string, Span>;
}

export interface MapGenerator {
  name: string;
  settings: Record<string, Span>;
}

/** Everything that a map of a game may hold. */
export interface MapKit {
  topology: "square" | "hex";
  shape: "rectangle" | "hexagon" | "any";
  holes: boolean;
  sides: Span;
  seats: number;
  form: "text" | "json";
  layers: MapLayer[];
  marks: MapMark[];
  generators: MapGenerator[];
}

export interface Mark {
  kind: string;
  at: Cell;
  owner?: number;
  numbers?: Record<string, number>;
}

/** A map as a picture: -1 in the first layer where there is no cell. */
export interface Drawing {
  box: [number, number, number, number];
  layers: number[][];
  marks: Mark[];
}

export interface MapProblem {
  sentence: string;
  cells?: Cell[];
  grave?: boolean;
}

export interface MapReport {
  problems: MapProblem[];
  playable: boolean;
  data: unknown;
  text: string;
  drawing: Drawing | null;
  players: number[];
  settings: Record<string, unknown>;
}

export interface MapInfo {
  id: string;
  game: string;
  name: string;
  kind: "kept" | "built-in";
  author: string | null;
  created: number | null;
  changed: number | null;
}

export interface MapSheet {
  info: MapInfo;
  map: MapReport;
}

export interface RunInfo {
  number: number;
  opens: number;
  starts: number;
  state: "lobby" | "running" | "over" | "empty";
  registered: number;
  match: string | null;
}

export interface Scoring {
  points: number[];
  earned_by: string;
  figure: string;
  ties: string[];
}

export interface RoundInfo {
  id: string;
  name: string;
  kind: "test" | "final";
  game: string;
  template: NewMatch;
  starts: number;
  lobby: number;
  pause: number;
  every: number | null;
  runs: number;
  scoring: Scoring;
  maps: unknown[];
  open: boolean;
  now: number;
  current: RunInfo | null;
}

export interface RoundStanding {
  place: number;
  account: string | null;
  name: string;
  points: number;
  played: number;
  figures: Record<string, number>;
}
