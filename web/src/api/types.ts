/** Messages between server and page. Generated from `marchland.messages` by `make web`: do not edit. */

export type Role = "player" | "organiser" | "admin";

/** An account. */
export interface AccountInfo {
  id: string;
  name: string;
  role: Role;
  created: number;
}

/** An account to be created. */
export interface AccountCreate {
  name: string;
}

/** A new or restored account with a token and a recovery code, which are shown only once. */
export interface Welcome {
  account: AccountInfo;
  token: string;
  /** Restores the account if its tokens are lost; it works once, and is replaced by another. */
  recovery_code: string;
}

/** The name of an account and its recovery code. */
export interface RecoveryRequest {
  name: string;
  code: string;
}

/** A new recovery code, which is shown only once. */
export interface RecoveryCode {
  code: string;
}

/** The new role of an account. */
export interface RoleUpdate {
  role: Role;
}

/** A token without its secret. */
export interface TokenInfo {
  id: string;
  label: string;
  created: number;
  /** In seconds since 1970; None if it does not expire. */
  expires: number | null;
  /** Whether the request was sent with this token. */
  current: boolean;
}

/** A token to be created; `expires` is in seconds since 1970. */
export interface TokenCreate {
  label?: string;
  expires?: number | null;
}

/** A new token, which is shown only once. */
export interface TokenCreated {
  id: string;
  token: string;
}

/** Who did what when; `token` is the id of the token that was used. */
export interface AuditEntry {
  number: number;
  at: number;
  account: string | null;
  name: string;
  token: string | null;
  what: string;
  about: string;
  details: unknown;
}

/** A turn ends when all seats are ready; after `max_seconds` every seat counts as ready. */
export interface WhenReady {
  kind: "ready";
  max_seconds?: number;
}

/** A turn ends so many seconds after the one before, or as soon as all seats are ready if `early`. */
export interface Every {
  kind: "every";
  seconds: number;
  early?: boolean;
  /** The length of the first turn, if it differs. */
  first?: number | null;
  /** Seconds that a turn lasts at least if all seats are ready earlier. */
  least?: number;
}

/** A turn ends at these times of the day, written `HH:MM` in UTC. */
export interface AtTimes {
  kind: "times";
  times: string[];
}

export type Clock = WhenReady | Every | AtTimes;

/**
 * Why a request was refused: the kind of refusal for programs, a sentence in English for people. For other languages
 * `code` and `arguments` say the same; `code` is empty where there is only the sentence.
 */
export interface Problem {
  error: string;
  sentence: string;
  code: string;
  arguments: Record<string, unknown>;
}

/** A game in the catalogue. */
export interface GameInfo {
  name: string;
  version: number;
  /** Minimum and maximum. */
  players: [number, number];
  /** The seats of a match that a player may start on the usual board; organisers may start larger ones. */
  most_seats: number;
  fogged: boolean;
  /** Whether it has actions that take effect at once. */
  immediate: boolean;
  merging: "replace" | "unit" | "append";
  presets: string[];
  bots: string[];
  /** JSON Schema; the extension `x-group` is the heading of a setting in forms. */
  config_schema: Record<string, unknown>;
  verbs: Verb[];
  maps: MapSpec;
  /** The setting that names the preset. */
  preset_field: string;
  /** The settings in which each preset differs from the defaults. */
  preset_values: Record<string, Record<string, unknown>>;
  /** The kinds of items of the ledger that it reads, each with the JSON Schema of an item's facts. */
  items: Record<string, Record<string, unknown>>;
  /** Jobs that an organiser of a season may run manually, and what each does. */
  jobs: Record<string, string>;
  /** The settings that a season sets by its teams and its clock. */
  seasonal: string[];
}

export type LoadingState = "waiting" | "compiling" | "loaded" | "failed";

/** The progress of loading a game; its matches can be played when it is loaded. */
export interface GameLoading {
  game: string;
  state: LoadingState;
  /** The compiled fraction, from 0 to 1. */
  progress: number;
  /** Why it failed, in one line; the server's log has the details. */
  error: string;
}

/** Whether a server can play every game. */
export interface Readiness {
  ready: boolean;
  games: GameLoading[];
}

/** A job that was run for a match; each key runs exactly once. */
export interface JobRun {
  match: string;
  name: string;
  key: string;
  at: number;
  node: string;
  /** The number of its orders that the game accepted. */
  done: number;
}

/** Run a job now, manually. */
export interface JobRequest {
  match: string;
  name: string;
}

export type ItemState = "free" | "held" | "spent";

/** A collection of a game: what belongs together, such as all NFTs of one artist. */
export interface CollectionCreate {
  game: string;
  name: string;
}

/** A collection. */
export interface CollectionInfo {
  id: number;
  game: string;
  name: string;
}

/** A schema of a collection: the kind of its templates, and facts that all of them share. */
export interface SchemaCreate {
  collection: number;
  name: string;
  kind: string;
  facts?: Record<string, unknown>;
}

/** A schema. */
export interface SchemaInfo {
  id: number;
  collection: number;
  name: string;
  kind: string;
  facts: Record<string, unknown>;
}

/**
 * A kind of item of a game, from which items can be minted; the game reads `facts`. With a schema, game and kind are
 * the schema's and may be left out, and the schema's facts are added.
 */
export interface TemplateCreate {
  name: string;
  game?: string;
  kind?: string;
  facts?: Record<string, unknown>;
  schema?: number | null;
}

/** A template, and the number of items ever minted from it. */
export interface TemplateInfo {
  id: number;
  game: string;
  name: string;
  kind: string;
  /** With those of its schema. */
  facts: Record<string, unknown>;
  minted: number;
  schema: number | null;
}

/** Mint items for an account. */
export interface MintRequest {
  template: number;
  owner: string;
  amount?: number;
}

/** An item: free, held by a match that uses it, or spent. */
export interface ItemInfo {
  id: number;
  template: number;
  mint: number;
  game: string;
  name: string;
  kind: string;
  facts: Record<string, unknown>;
  owner: string;
  state: ItemState;
  /** The match that holds it, or for which it was spent. */
  match: string | null;
  /** Whether an external ledger decides who owns it. */
  external: boolean;
}

/** The new owner of an item. */
export interface ItemUpdate {
  owner: string;
}

/** An account in the ledger: its staked power and its number of items. */
export interface HolderInfo {
  account: string;
  name: string;
  stake: number;
  items: number;
}

/** All items that an account owns or has spent. */
export interface Album {
  account: string;
  stake: number;
  avatar: number | null;
  items: ItemInfo[];
}

/** The name of an account at the external ledger, or none. */
export interface WalletUpdate {
  wallet: string | null;
}

/** Whether an account's wallet is its own. */
export interface WalletConfirmation {
  confirmed: boolean;
}

/** An account's wallet; items and stakes are read only for confirmed ones. */
export interface WalletInfo {
  account: string;
  name: string;
  wallet: string | null;
  confirmed: boolean;
}

/** An external source of the ledger, and whether it answers. */
export interface SourceInfo {
  name: "assets" | "stakes";
  tried: number;
  /** When it last answered for every wallet. */
  read: number | null;
  /** What went wrong last; empty if nothing did. */
  warning: string;
}

/** The new staked power of an account. */
export interface StakeUpdate {
  stake: number;
}

/** A picture for items: a PNG file, in Base64. */
export interface PictureCreate {
  data: string;
}

/** A stored picture; the fact `sprite` of a template names it by its id. */
export interface PictureInfo {
  id: string;
  width: number;
  height: number;
}

/** The item that represents an account, or none. */
export interface AvatarUpdate {
  avatar: number | null;
}

/** The first message: match, game and viewpoint. */
export interface Hello {
  type: "hello";
  match: string;
  game: string;
  seat: number | null;
  state: MatchState;
  now: number;
  /** None before the match starts. */
  legend: Legend | null;
}

/**
 * The state of the match: after `Hello`, after every turn and after every immediate action. `frame` is a `Frame`,
 * `view` what the seat can see, `results` the results of its orders in the turn that is over, `reports` what else the
 * game tells the seat about that turn, with the results. The client chooses which of them it receives when it opens the
 * socket.
 */
export interface News {
  type: "news";
  turn: number;
  seq: number;
  state: MatchState;
  now: number;
  closes?: number | null;
  frame?: Frame | null;
  view?: unknown | null;
  results?: Result[] | null;
  reports?: TurnReport[] | null;
  /** The turn that is over was played without this seat's orders. */
  late?: boolean;
  outcome?: Outcome | null;
}

/** The client read too slowly: so many news were dropped. The next ones start with a key frame. */
export interface Skipped {
  type: "skipped";
  count: number;
}

/** The reply to the client's message with this key: a receipt, the result of an action, or a refusal. */
export interface Answer {
  type: "answer";
  key: string;
  receipt?: Receipt | null;
  acted?: ActResult | null;
  error?: string;
  sentence?: string;
  /** With `arguments` the same as `sentence`, for other languages; empty where there is only the sentence. */
  code?: string;
  arguments?: Record<string, unknown>;
}

export type ServerMessage = Hello | News | Skipped | Answer;

/** Orders for a turn, or for the open one. */
export interface SendOrders {
  type: "orders";
  orders: unknown[];
  key: string;
  turn?: number | null;
  ready?: boolean;
}

/** One immediate action. */
export interface SendAct {
  type: "act";
  order: unknown;
  key: string;
}

/**
 * Subscribe to these chunks of the board only; None subscribes to all. News with all cells of newly subscribed chunks
 * follow at once, as a frame to be merged into the current picture; after None, and after skipped news, it is a key
 * frame.
 */
export interface See {
  type: "see";
  chunks: number[] | null;
}

export type ClientMessage = SendOrders | SendAct | See;

/** Minimum, maximum and default. */
export type Span = [number, number, number];

/** A number that every cell of a map has: the code of a word, or an amount. */
export interface MapLayer {
  name: string;
  type: "code" | "number";
  palette?: string[];
  /** The keyboard key for each word; a single key for an amount. */
  keys?: string[];
  least?: number;
  most?: number;
  usual?: number;
  /** By word how ground is painted, as in a `Layer`. */
  styles?: Record<string, GroundStyle>;
  /** By word the glyph that stands on the cell, as in a `Layer`. */
  glyphs?: Record<string, string>;
}

/** Something that may stand on a cell of a map. */
export interface MapMark {
  name: string;
  glyph: string;
  key: string;
  /** A cell has at most one mark of a group. */
  group: string;
  /** Whether it is a player's. */
  owned?: boolean;
  /** Whether a player has at most one. */
  once?: boolean;
  /** What the first layer is under it. */
  ground?: number | null;
  /** Cells that it takes besides its own, as axial steps. */
  covers?: [number, number][];
  numbers?: Record<string, [number, number, number]>;
}

/** A map generator and the range of each of its settings. */
export interface MapGenerator {
  name: string;
  settings: Record<string, [number, number, number]>;
}

/** What a map of a game may contain. */
export interface MapSpec {
  topology: "square" | "hex";
  shape: "rectangle" | "hexagon" | "any";
  /** Whether a cell of the rectangle may be missing. */
  holes: boolean;
  /** Of a rectangle its sides, of a hexagon its radius. */
  sides: [number, number, number];
  /** The number of players that can have marks. */
  seats: number;
  /** How the game writes its maps. */
  form: "text" | "json";
  layers: MapLayer[];
  marks: MapMark[];
  generators: MapGenerator[];
}

/** Column and row, as frames lay cells out: on a hex board odd rows lie half a cell to the right. */
export type Spot = [number, number];

/** A mark on a cell of a drawing. */
export interface MapObject {
  kind: string;
  at: [number, number];
  owner?: number;
  numbers?: Record<string, number>;
}

/** A map as a picture. */
export interface Drawing {
  /** The first and the last column, the first and the last row. */
  box: [number, number, number, number];
  /** For each layer of the spec a number for each cell, row by row; -1 in the first layer where there is no cell. */
  layers: number[][];
  marks?: MapObject[];
}

/** A problem of a map, and where; a map whose problems are not `grave` is playable, but may be unfair or dull. */
export interface MapProblem {
  sentence: string;
  cells?: [number, number][];
  grave?: boolean;
}

/** A map to be checked: in the game's own form (`data`, or the text of a map file), or as a drawing. */
export interface MapCheck {
  game: string;
  data?: unknown;
  drawing?: Drawing | null;
}

/** A map to be generated. */
export interface MapRequest {
  game: string;
  generator: string;
  settings?: Record<string, number>;
}

/** A map in every form, and what is wrong with it. */
export interface MapReport {
  problems: MapProblem[];
  playable: boolean;
  /** In the game's own form: what a match takes as its `map`. */
  data: unknown;
  /** As a map file. */
  text: string;
  /** None where the map cannot be read. */
  drawing: Required<Drawing> | null;
  /** The possible numbers of players. */
  players: number[];
  /** Settings that a match on it must have. */
  settings: Record<string, unknown>;
}

/** A map to be saved. */
export interface MapCreate {
  game: string;
  name: string;
  data: unknown;
}

/** The new name and content of a saved map. */
export interface MapUpdate {
  name: string;
  data: unknown;
}

/** A map that is saved on this server or comes with the game. */
export interface MapInfo {
  id: string;
  game: string;
  name: string;
  kind: "kept" | "built-in";
  /** The account's name. */
  author: string | null;
  created: number | null;
  changed: number | null;
}

/** A map with everything on it. */
export interface MapDetails {
  info: MapInfo;
  map: MapReport;
}

export type MatchState = "lobby" | "running" | "over" | "broken";

/** A requested seat: open to players who join, played by a built-in bot, or empty. */
export interface SeatRequest {
  kind?: "open" | "builtin" | "empty";
  bot?: string;
  name?: string;
}

/** A match to be created; it starts on request or, with `auto_start`, when no seat is open. */
export interface MatchCreate {
  game: string;
  seats: SeatRequest[];
  name?: string;
  rules?: string | null;
  config?: Record<string, unknown>;
  /** A map in the game's own form or, for a map that is saved on the server, `{"kept": id}`. */
  map?: unknown;
  clock?: Clock;
  password?: string;
  auto_start?: boolean;
  /** In a game with fog: how many turns late spectators see it; None hides it until it is over. */
  spectator_delay?: number | null;
  /** Only for organisers without a seat in the match; by default the seed is random and secret. */
  seed?: number | null;
  /** Whether lists show it to all; by default unless it has a password, or one seat for a player. */
  listed?: boolean | null;
  /** Whether others than its creator may join it while it runs; by default as for `listed`. */
  late_joiners?: boolean | null;
  /** By team its name, in a game with teams; those of a season's match are the season's. */
  team_names?: string[];
}

/** A new clock for a match that is not over, from its next turn on; who finds and joins it. */
export interface MatchUpdate {
  clock?: WhenReady | Every | AtTimes;
  listed?: boolean;
  late_joiners?: boolean;
}

/** The public facts of a seat. */
export interface SeatInfo {
  seat: number;
  kind: "open" | "human" | "bot" | "builtin" | "empty";
  name?: string;
  account?: string | null;
  bot?: string;
  /** Turns in which it was late. */
  missed?: number;
}

/** The public facts of a match. */
export interface MatchInfo {
  id: string;
  game: string;
  name: string;
  state: MatchState;
  turn: number;
  last_turn: number | null;
  seats: SeatInfo[];
  clock: Required<Clock>;
  config: Record<string, unknown>;
  fogged: boolean;
  spectator_delay: number | null;
  password: boolean;
  created: number;
  /** When the turn ends, in seconds since 1970; None if it ends when all seats are ready. */
  closes: number | null;
  now: number;
  outcome: Outcome | null;
  creator: string | null;
  room: string | null;
  forked_from: string | null;
  listed: boolean;
  late_joiners: boolean;
  /** By team its name, where the teams have names. */
  team_names: string[];
}

/** Take a certain seat or any open one; idempotent for a caller that has a seat. */
export interface JoinRequest {
  seat?: number | null;
  name?: string;
  password?: string;
  kind?: "human" | "bot";
}

/** The seat that was taken. */
export interface Joined {
  match: string;
  seat: number;
  name: string;
}

/** Orders for `turn`, by default the turn that is open when they arrive. `ready` says that no more follow. */
export interface OrdersPost {
  orders: unknown[];
  key: string;
  turn?: number | null;
  ready?: boolean;
  /** Required only for a caller with several seats. */
  seat?: number | null;
}

/** One immediate action. */
export interface ActPost {
  order: unknown;
  key: string;
  seat?: number | null;
}

/** Orders are durable: they will be played in the turn named here. */
export interface Receipt {
  turn: number;
  orders: number;
  received: number;
}

/** A seat's orders for the open turn as they would be executed now, and whether the seat is ready. */
export interface Pending {
  turn: number;
  orders: unknown[];
  ready: boolean;
  /** The first seats that are not ready, where the turn ends when all are; the match's owner knows them. */
  awaited: number[];
}

/** The result of an immediate action, and its number in the turn if it was executed. */
export interface ActResult {
  turn: number;
  seq: number;
  result: Result;
  events: Record<string, unknown>[];
}

/** The results of one seat's orders in one turn or immediate action; `late` if it missed the turn. */
export interface TurnLog {
  turn: number;
  seq: number;
  results: Result[];
  late: boolean;
  /** Seconds from the turn's opening to the seat's last post; None without one. */
  latency: number | null;
  /** What else the game tells the seat about the turn, such as battles. */
  reports: TurnReport[];
}

/** A sentence about what happened in a turn, and the seats that it concerns. */
export interface LogLine {
  turn: number;
  text: string;
  players: number[];
  /** Whether it is only for the seats that it concerns. */
  private: boolean;
}

/** A new match from `turn` of another; by default the caller plays against built-in bots. */
export interface ForkRequest {
  turn: number;
  seats?: SeatRequest[] | null;
  clock?: Clock;
  name?: string;
}

/** What may be picked for the parameter `param`. */
export interface Domain {
  pick: string;
  param: string;
}

/** What an order would do if other players do nothing new, by the words' `forecasts`. */
export interface Forecast {
  code: string;
  arguments?: Record<string, unknown>;
  /** It cannot succeed. */
  hopeless?: boolean;
}

/** A cell that can be reached, at what cost and from where; `parent` is None next to the start. */
export interface Step {
  cell: [number, number];
  cost: number;
  parent: [number, number] | null;
}

/** Any one of these cells. */
export interface Cells {
  pick: "cell";
  param: string;
  cells: [number, number][];
  /** For moves: the cheapest paths, also through cells that cannot be picked themselves. */
  steps?: Step[];
  /** For each cell what the order would do there, where that can be told; empty where it never can. */
  forecasts?: (Forecast | null)[];
}

/** Any one of these pieces, by id. */
export interface Pieces {
  pick: "piece";
  param: string;
  pieces: number[];
  /** The name of each, by the words' `phrases`, where it may be on no cell or has one of its own. */
  names?: (Phrase | null)[];
  /** For each piece what the order would do to it, where that can be told; empty where it never can. */
  forecasts?: (Forecast | null)[];
}

/** Any whole number from `least` to `most`. */
export interface Range {
  pick: "number";
  param: string;
  least: number;
  most: number;
  /** The suggested value, if it is not `most`. */
  usual?: number | null;
  /** What is enough for the order to succeed if nothing else happens; more than `most` if nothing is enough. */
  needed?: number | null;
  /** What the order would do with that number or more, up to the next entry. */
  forecasts?: [number, Forecast][];
}

/** Any one of these words, or of false and true for a switch; `optional` ones may also be left out. */
export interface Choices {
  pick: "choice";
  param: string;
  choices: (string | boolean)[];
  optional?: boolean;
  /** For each choice what it costs, by name of a figure. */
  prices?: Record<string, number>[];
}

/** Any path through these cells, following parents back to the piece. */
export interface Paths {
  pick: "path";
  param: string;
  steps: Step[];
}

export type Menu = Cells | Pieces | Range | Choices | Paths;

/** What may be picked next in a partial order; None where nothing is missing. */
export interface FollowingMenu {
  order: Record<string, unknown>;
  menu: Cells | Pieces | Range | Choices | Paths | null;
}

/** Partial orders whose menus are wanted, with the menus that follow what is picked from them. */
export interface MenusRequest {
  orders?: Record<string, unknown>[];
  /** The orders that the player gives this turn; menus offer what is possible and paid for besides them. */
  queued?: unknown[];
  /** The cell that the player has picked: prices and reasons are those of orders for it. */
  at?: [number, number] | null;
}

/** A figure that orders are paid from. */
export interface Resource {
  name: string;
  have: number;
  /** After the queued orders. */
  left: number;
  /** What each turn adds, where the game says so. */
  income?: number | null;
}

/** The first menu of every verb, and the menus that follow partial orders; a long list of those is cut off. */
export interface Menus {
  verbs: Record<string, Menu>;
  following: FollowingMenu[];
  resources: Resource[];
  /** By verb the least that an order of it costs, by name of a resource. */
  prices: Record<string, Record<string, number>>;
  /** For each queued order what it would do together with the others, where that can be told. */
  forecasts: (Forecast | null)[];
  /** By verb why it is not possible now, or not for the picked cell, by the words' `results`. */
  reasons: Record<string, Phrase>;
}

export type PickKind = "piece" | "cell" | "direction" | "path" | "number" | "choice" | "text";

export type Harm = "" | "own" | "target";

export type Cell = [number, number];

export type ResultState = "done" | "no_effect" | "refused";

/**
 * The result of one order. `sentence` says in English why it was refused or what it did. In other languages, the words
 * of a legend have a template for `code`, to be filled with `arguments`.
 */
export interface Result {
  order: unknown;
  /** It was not refused. */
  ok: boolean;
  /** `OK`, or why it was refused. */
  reason: string;
  sentence: string;
  /** `no_effect` for an order that was legal and failed, like an attack that was repelled. */
  state: ResultState;
  code: string;
  arguments: Record<string, unknown>;
}

/** What else a game tells a player about a turn, such as a battle: in words, and as data of the game's own form. */
export interface TurnReport {
  sentence: string;
  facts: Record<string, unknown>;
}

/** One player's place at the end; equal players share a place and the next one is skipped. */
export interface Standing {
  player: number;
  name: string;
  place: number;
  figures: Record<string, number>;
}

/** How a match ended. */
export interface Outcome {
  ranking: Standing[];
  /** In English; in other languages, the words' `outcomes` have a template for `code`. */
  reason: string;
  /** Empty in matches of earlier versions. */
  code: string;
  arguments: Record<string, unknown>;
}

/** A room to be created: whenever its match has ended, the next one starts from the template. */
export interface RoomCreate {
  name: string;
  template: MatchCreate;
  /** Seconds between two matches. */
  pause?: number;
  /** Finished matches that stay, with people or without; None: the server's limit, which spares those with people. */
  keep?: number | null;
}

/** A room and its current match. */
export interface RoomInfo {
  name: string;
  template: Required<MatchCreate>;
  pause: number;
  open: boolean;
  match: string | null;
  keep: number | null;
}

/** Changes to a room; its current match is not affected. */
export interface RoomUpdate {
  template?: MatchCreate;
  pause?: number;
  keep?: number | null;
  /** A closed room starts no further match. */
  open?: boolean;
}

export type RunState = "lobby" | "running" | "over" | "empty";

/** How a round is scored: points by place, or the sum of a figure. `ties` break equal sums. */
export interface Scoring {
  /** Points for each place; one less for every place beyond the last. */
  points?: number[];
  /** A place beyond the last gives 1 point if the player has any of this figure, else none. */
  earned_by?: string;
  /** Add up this figure instead of points. */
  figure?: string;
  /** Figures of which less is better; the first that differs decides. */
  ties?: string[];
}

/** Matches by schedule for the players who register while the lobby is open. Final ones count for the standings. */
export interface RoundCreate {
  name: string;
  /** Its seats are for the organiser's bots; every registered player gets a further seat. */
  template: MatchCreate;
  starts: number;
  kind?: "test" | "final";
  /** Seconds before the start during which players may register. */
  lobby?: number;
  /** The number of runs; 0 for no limit. */
  runs?: number;
  /** Seconds from start to start; by default the lobby of the next run opens `pause` after the end of the last. */
  every?: number | null;
  pause?: number;
  /** By default the game's own. */
  scoring?: Scoring | null;
  /** Runs use these in turn; by default the game's maps for final rounds, else the template's map. */
  maps?: unknown[];
}

/** Changes to a round. After its first run, template, maps, kind and scoring can no longer change. */
export interface RoundUpdate {
  name?: string;
  template?: MatchCreate;
  /** The start of the next run, while its lobby is open. */
  starts?: number;
  kind?: "test" | "final";
  lobby?: number;
  runs?: number;
  every?: number | null;
  pause?: number;
  scoring?: Scoring;
  maps?: unknown[];
  /** A closed round plans no further run; a reopened one continues. */
  open?: boolean;
}

/** One run of a round: lobby, running, over; or empty if too few players had registered. */
export interface RunInfo {
  number: number;
  opens: number;
  starts: number;
  state: RunState;
  registered: number;
  match: string | null;
}

/** The public facts of a round. */
export interface RoundInfo {
  id: string;
  name: string;
  kind: "test" | "final";
  game: string;
  template: Required<MatchCreate>;
  starts: number;
  lobby: number;
  pause: number;
  every: number | null;
  runs: number;
  scoring: Required<Scoring>;
  maps: unknown[];
  open: boolean;
  now: number;
  /** The current or next run; None after the last. */
  current: RunInfo | null;
}

/** Register for the next run of a round, under this name or the account's. */
export interface Registration {
  name?: string;
}

/** A registration for a run of a round. */
export interface Registered {
  round: string;
  number: number;
  name: string;
  starts: number;
}

/** One account's place over all runs that count. */
export interface RoundStanding {
  place: number;
  account: string | null;
  name: string;
  points: number;
  played: number;
  figures: Record<string, number>;
}

export type LayerType = "code" | "player" | "players" | "number";

/** A `kind` is the index of a kind of piece, `hundredths` are a hundred times what people read. */
export type ArgumentType = "cell" | "piece" | "kind" | "player" | "team" | "number" | "hundredths" | "steps" | "choice";

export type BattleRole = "" | "opens" | "outcome" | "detail";

export type Motion = "" | "glide" | "arc" | "ripple" | "fade";

/** How a viewer paints ground: a colour and a texture of its own for each. */
export type GroundStyle = "acid" | "azure" | "barrier" | "channel" | "clay" | "forest" | "haze" | "lava" | "meadow" | "mountain" | "paved" | "rock" | "rubble" | "sand" | "soil" | "water";

/** One value a cell, and how to read it. */
export interface Layer {
  name: string;
  type: LayerType;
  palette?: string[];
  least?: number;
  most?: number;
  /** The layer never changes: it is in the first frame only. */
  still?: boolean;
  /** By word of the palette how ground is painted. The first layer with styles is the ground, others lie over it. */
  styles?: Record<string, GroundStyle>;
  /** By word of the palette the glyph that stands on the cell; elsewhere than on the ground, a letter by default. */
  glyphs?: Record<string, string>;
  /** The code of cells out of sight; -1 where the layer has none. */
  hidden_code?: number;
}

/** One kind of piece, and the names of the numbers it carries. */
export interface PieceKind {
  name: string;
  glyph: string;
  numbers?: string[];
  /** The first number is a level, like health: a ring shows how much is left of the most there was. */
  gauge?: boolean;
  /** By name of a number what its values mean, where they are codes. */
  words?: Record<string, string[]>;
  /** The numbers that are the turns left of a task and its turns in all: a ring shows how much is done. */
  progress?: [string, string] | null;
  /** The number that is a template of the server's ledger, whose picture shows the piece; 0 for none. */
  picture?: string;
}

/** One kind of event: its arguments by name, and how it moves. */
export interface EventKind {
  name: string;
  args: Record<string, ArgumentType>;
  motion?: Motion;
  choices?: string[];
  /** The player it names is out of the match. */
  ends_player?: boolean;
  /** It opens a battle; or it belongs to the one of its argument `battle`, else to the one that it follows. */
  battle?: BattleRole;
}

/** One parameter of a verb. */
export interface Parameter {
  name: string;
  pick: PickKind;
  optional?: boolean;
  choices?: string[];
}

/** One verb as a button: its key, when it takes effect, and what to pick for it. */
export interface Verb {
  do: string;
  params: Parameter[];
  help?: string;
  key?: string;
  when?: "turn" | "now";
  role?: string;
  /** Viewers ask before an order that damages or destroys something of the player's own. */
  harms?: Harm;
}

/** The board: its cells by coordinates, in the order in which frames name them. */
export interface BoardShape {
  topology: "square" | "hex";
  dialect: string;
  size: number;
  /** Minimum and maximum of the first coordinate, then of the second. */
  box: [number, number, number, number];
  chunk: number;
}

/** Everything a viewer needs once to draw every frame. */
export interface Legend {
  game: string;
  version: number;
  board: BoardShape;
  layers: Layer[];
  kinds: PieceKind[];
  events: EventKind[];
  verbs: Verb[];
  figures: string[];
  /** The layer that is the ground of every cell; -1 for the first code layer that never changes, if there is one. */
  ground_layer?: number;
  /** The figure that is a player's team; layers and numbers of pieces of that name hold teams, too. */
  team_figure?: string;
  /** Figures that describe a player, like a role, and do not measure success. */
  unranked_figures?: string[];
  /** By name of a figure what its values mean, where they are codes. */
  figure_words?: Record<string, string[]>;
  /** The game's words, by language. English is complete; replays of earlier versions have none. */
  words?: Record<Language, Words>;
  /** The figure that is a template of the server's ledger, whose picture shows the player; 0 for none. */
  avatar_figure?: string;
  /** The figures of a team, in the order in which teams are ranked; without any, players compete for themselves. */
  team_figures?: string[];
}

/** New values of one layer in one chunk: offsets inside the chunk (row by row) and their values. */
export type Patch = [chunk: number, layer: number, offsets: number[], values: number[]];

/** An event by the index of its kind, with its arguments in the legend's order. */
export type SceneEvent = [kind: number, args: (number | number[] | null)[]];

/** What changed since the frame before; a key frame holds every cell. */
export interface Frame {
  turn: number;
  /** For each player whether it lives (1 or 0), then its figures in the legend's order. */
  players: number[][];
  patches: Patch[];
  seq?: number;
  key?: boolean;
  names?: string[];
  /** In a key frame: the board, which a late joiner may have made larger than the legend says. */
  board?: BoardShape | null;
  /** Pieces that are new or changed: id, kind, owner (-1 for none), cell's two coordinates, numbers. */
  pieces?: number[][];
  /** Names of pieces that have one, like swarms: in a key frame all of them, else those of new or changed pieces. */
  piece_names?: Record<number, string>;
  gone?: number[];
  events?: SceneEvent[];
  /** By player its place if the match ended now; empty where the audience may not know. */
  places?: number[];
  /** By team its figures, in the legend's order. */
  teams?: number[][];
  /** Cells out of sight as they were when they were last seen: in a key frame all of them, else those that left. */
  remembered?: Patch[];
  audience?: number | null;
}

export type TeamRole = "leader" | "vice" | "trooper";

/** A season to be created: from the first day to the last, both included, in UTC; seasons must not overlap. */
export interface SeasonCreate {
  name: string;
  start: string;
  end: string;
}

/** Changes to a season. */
export interface SeasonUpdate {
  name?: string;
  start?: string;
  end?: string;
}

/** A season. */
export interface SeasonInfo {
  id: string;
  name: string;
  start: string;
  end: string;
  active: boolean;
  games: string[];
}

/** An account in a team, by id or name. */
export interface Member {
  account: string;
  role?: TeamRole;
}

/** A team: one leader, at most one vice-leader, troopers. */
export interface Team {
  name: string;
  members: Member[];
}

/**
 * The match of a season's game. It has a seat for every member of the teams, so that `seats` may be left out; without
 * `rules` and `clock` it has those of a season.
 */
export interface SeasonTemplate {
  game: string;
  seats?: SeatRequest[];
  name?: string;
  rules?: string | null;
  config?: Record<string, unknown>;
  /** A map in the game's own form or, for a map that is saved on the server, `{"kept": id}`. */
  map?: unknown;
  clock?: Clock;
  password?: string;
  auto_start?: boolean;
  /** In a game with fog: how many turns late spectators see it; None hides it until it is over. */
  spectator_delay?: number | null;
  /** Only for organisers without a seat in the match; by default the seed is random and secret. */
  seed?: number | null;
  /** Whether lists show it to all; by default unless it has a password, or one seat for a player. */
  listed?: boolean | null;
  /** Whether others than its creator may join it while it runs; by default as for `listed`. */
  late_joiners?: boolean | null;
  /** By team its name, in a game with teams; those of a season's match are the season's. */
  team_names?: string[];
}

/** A game of a season; its settings, map and clock are those of the template, its seats the teams' members. */
export interface SeasonGameCreate {
  name: string;
  template: SeasonTemplate;
  teams?: Team[];
}

/** Changes to a game of a season. Once its match has started, only name and clock may change. */
export interface SeasonGameUpdate {
  name?: string;
  template?: SeasonTemplate;
  /** The clock of the match, from its next turn on. */
  clock?: WhenReady | Every | AtTimes;
}

/** A game of a season; its match starts with the season, as soon as it has teams. */
export interface SeasonGameInfo {
  id: string;
  season: string;
  name: string;
  template: Required<MatchCreate>;
  match: string | null;
  teams: Team[];
  /** The names of the members, by account. */
  names: Record<string, string>;
  /** What the running match could not take over of the teams yet, and why. */
  notes: string[];
}

export type Language = "en" | "ru";

/** The sentences of one kind of event. A sentence begins with the value that acts, if one does. */
export interface EventWords {
  one: string;
  /** For `{count}` events that agree in its values; numbers are added up. Without it they are listed one by one. */
  many?: string;
}

/** What an order would do: as a sentence, and in a few letters for the board. */
export interface ForecastWords {
  sentence: string;
  label: string;
}

/** All words of a game in one language; nouns have their plural forms after a bar, as in `bee|bees`. */
export interface Words {
  /** By kind of event. */
  events?: Record<string, EventWords>;
  /** By code: why an order was refused, or what it did. */
  results?: Record<string, string>;
  verbs?: Record<string, string>;
  parameters?: Record<string, string>;
  /** By kind of piece. */
  kinds?: Record<string, string>;
  /** By figure of a player, layer of the board or number of a piece. */
  figures?: Record<string, string>;
  /** By word of a palette, and by choice of an event or a verb. */
  choices?: Record<string, string>;
  /** What every game needs, such as the word for a player who is not known; names of pieces that are on no cell. */
  phrases?: Record<string, string>;
  /** By code: what an order would do. */
  forecasts?: Record<string, ForecastWords>;
  /** By code: why a match is over. */
  outcomes?: Record<string, string>;
}

/** Something that the words of a game say: the code of its template, with the values. */
export interface Phrase {
  code: string;
  arguments?: Record<string, unknown>;
}
