/** Messages between server and page. Generated from `marchland.messages` by `make web`: do not edit. */

export type Role = "player" | "organiser" | "admin";

/** An account. */
export interface AccountInfo {
  id: string;
  name: string;
  role: Role;
  created: number;
}

/** An account to be made. */
export interface AccountCreate {
  name: string;
}

/** A new account and its token, which is shown only here. */
export interface Welcome {
  account: AccountInfo;
  token: string;
}

/** What an account may do from now on. */
export interface RoleUpdate {
  role: Role;
}

/** A token as its owner sees it afterwards. */
export interface TokenInfo {
  id: string;
  label: string;
  created: number;
}

/** A further token for one's own account. */
export interface TokenCreate {
  label?: string;
}

/** A new token, shown only here. */
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

/** A turn ends when everybody is ready. */
export interface WhenReady {
  kind: "ready";
}

/** A turn ends so many seconds after the one before, or as soon as everybody is ready if `early`. */
export interface Every {
  kind: "every";
  seconds: number;
  early?: boolean;
  /** The length of the first turn, where it has one of its own. */
  first?: number | null;
}

/** A turn ends at these times of the day, written `HH:MM` in UTC. */
export interface AtTimes {
  kind: "times";
  times: string[];
}

export type Clock = WhenReady | Every | AtTimes;

/** Why a request was refused: a word for programs, a sentence for people. */
export interface Problem {
  error: string;
  sentence: string;
}

/** A game as a host may offer it. */
export interface GameInfo {
  name: string;
  version: number;
  /** The least and the most. */
  players: [number, number];
  fogged: boolean;
  /** Whether it has actions that take effect at once. */
  immediate: boolean;
  merging: "replace" | "unit" | "append";
  presets: string[];
  bots: string[];
  /** Beside what JSON Schema says, `x-group` is the heading under which a setting belongs. */
  config_schema: Record<string, unknown>;
  verbs: Verb[];
  maps: MapSpec;
  /** The setting that names the preset. */
  preset_field: string;
  /** The settings in which each preset differs from the defaults. */
  preset_values: Record<string, Record<string, unknown>>;
  /** The kinds of items of the ledger that it reads, each with the JSON Schema of an item's facts. */
  items: Record<string, Record<string, unknown>>;
  /** What an organiser of a season may have done by hand, and what that does. */
  jobs: Record<string, string>;
  /** The settings that a season sets by its teams and its clock. */
  seasonal: string[];
}

export type LoadingState = "waiting" | "compiling" | "loaded" | "failed";

/** How far a server is with loading a game; its matches can be played when it is loaded. */
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

/** A job that was done for a match, once and for good. */
export interface JobRun {
  match: string;
  name: string;
  key: string;
  at: number;
  node: string;
  /** How many of its orders the game accepted. */
  done: number;
}

/** Do a job now, by hand. */
export interface JobRequest {
  match: string;
  name: string;
}

export type ItemState = "free" | "held" | "spent";

/** A kind of item of a game, of which items can be minted; `facts` are what the game reads of them. */
export interface TemplateCreate {
  game: string;
  name: string;
  kind: string;
  facts?: Record<string, unknown>;
}

/** A template, and how many items were ever minted of it. */
export interface TemplateInfo {
  id: number;
  game: string;
  name: string;
  kind: string;
  facts: Record<string, unknown>;
  minted: number;
}

/** Make items and give them to an account. */
export interface MintRequest {
  template: number;
  owner: string;
  amount?: number;
}

/** One item: free, held by a match while that uses it, or spent for good. */
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
}

/** Whose an item is from now on. */
export interface ItemUpdate {
  owner: string;
}

/** An account of which the ledger knows something: its staked power, and how many items it has. */
export interface HolderInfo {
  account: string;
  name: string;
  stake: number;
  items: number;
}

/** All that an account owns or has spent. */
export interface Album {
  account: string;
  stake: number;
  avatar: number | null;
  items: ItemInfo[];
}

/** How much power an account has staked from now on. */
export interface StakeUpdate {
  stake: number;
}

/** The item that stands for an account; None for none. */
export interface AvatarUpdate {
  avatar: number | null;
}

/** The first message: what everything after it is about. */
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
 * How the match stands: after `Hello`, after every turn and after every immediate action. `frame` is a `Frame`, `view`
 * what the seat may know, `results` what became of its orders in the turn that is over. Which of them come, the client
 * chose when it opened the socket.
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
  /** The turn that is over had to go without this seat's orders. */
  late?: boolean;
  outcome?: Outcome | null;
}

/** The client read too slowly: so many news were left out. The next ones start from a key frame. */
export interface Skipped {
  type: "skipped";
  count: number;
}

/** What became of the client's message with this key: a receipt, what an action did, or why it was refused. */
export interface Answer {
  type: "answer";
  key: string;
  receipt?: Receipt | null;
  acted?: ActResult | null;
  error?: string;
  sentence?: string;
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
 * From now on only these chunks of the board are wanted; None wants all. News with all cells of those that were not
 * wanted before follow at once, as a frame that is added to what is known; after None, and after a frame was left out,
 * it is a key frame.
 */
export interface See {
  type: "see";
  chunks: number[] | null;
}

export type ClientMessage = SendOrders | SendAct | See;

/** The least, the most, and what is usual. */
export type Span = [number, number, number];

/** A number that every cell of a map has: the code of a word, or an amount. */
export interface MapLayer {
  name: string;
  type: "code" | "number";
  palette?: string[];
  /** For each word the key that takes it up; for an amount the one key. */
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
  /** A cell has one mark of a group at most. */
  group: string;
  /** Whether it is a player's. */
  owned?: boolean;
  /** Whether a player has one at most. */
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
  /** How many players can have marks. */
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

/** Something wrong with a map, and where; what is not `grave` can be played, but may be unfair or dull. */
export interface MapProblem {
  sentence: string;
  cells?: [number, number][];
  grave?: boolean;
}

/** A map to be looked at: in the game's own form (`data`, or the text of a map file), or as a drawing. */
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
  /** How many can play on it. */
  players: number[];
  /** What a match on it must be set to. */
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

/** A seat as the creator of a match wants it: open to anyone who joins, empty, or played by a bot of the game's. */
export interface SeatRequest {
  kind?: "open" | "builtin" | "empty";
  bot?: string;
  name?: string;
}

/** A match to be created; it starts when its creator says so or, with `auto_start`, when no seat is open. */
export interface MatchCreate {
  game: string;
  seats: SeatRequest[];
  name?: string;
  rules?: string | null;
  config?: Record<string, unknown>;
  /** What the game takes as a map or, for one that is saved on the server, `{"kept": id}`. */
  map?: unknown;
  clock?: Clock;
  password?: string;
  auto_start?: boolean;
  /** In a game with fog: how many turns late spectators see it; None hides it until it is over. */
  spectator_delay?: number | null;
  /** For organisers without a seat of their own; otherwise the dice are secret. */
  seed?: number | null;
}

/** What is to be different about a match that is not over: when its turns end, from the next one on. */
export interface MatchUpdate {
  clock: Clock;
}

/** A seat as everybody may see it. */
export interface SeatInfo {
  seat: number;
  kind: "open" | "human" | "bot" | "builtin" | "empty";
  name?: string;
  account?: string | null;
  bot?: string;
  /** Turns in which it was late. */
  missed?: number;
}

/** A match as everybody may see it. */
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
  /** When the turn ends, in seconds since 1970; None where it waits for everybody. */
  closes: number | null;
  now: number;
  outcome: Outcome | null;
  creator: string | null;
  room: string | null;
  forked_from: string | null;
}

/** Take a seat: that one, or any open one. A caller that has a seat gets the same one again. */
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

/** Orders for a turn; without one, for the turn that is open when they arrive. `ready` says that no more come. */
export interface OrdersPost {
  orders: unknown[];
  key: string;
  turn?: number | null;
  ready?: boolean;
  /** Only for a caller with several seats. */
  seat?: number | null;
}

/** One immediate action. */
export interface ActPost {
  order: unknown;
  key: string;
  seat?: number | null;
}

/** Orders that are durable: whatever happens, they are in the turn named here. */
export interface Receipt {
  turn: number;
  orders: number;
  received: number;
}

/** A seat's orders for the open turn as they would be carried out now, and whether more may come. */
export interface Pending {
  turn: number;
  orders: unknown[];
  ready: boolean;
}

/** What became of an immediate action, and its number in the turn if it was done. */
export interface ActResult {
  turn: number;
  seq: number;
  result: Result;
  events: Record<string, unknown>[];
}

/** What became of one seat's orders in one turn or immediate action; `late` if the turn had to go without it. */
export interface TurnLog {
  turn: number;
  seq: number;
  results: Result[];
  late: boolean;
  /** Seconds from the turn's opening to the seat's last post; None without one. */
  latency: number | null;
}

/** A new match from `turn` of another: who takes which seat, by default one person against built-in bots. */
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
  /** Where one walks there: the cheapest ways, also through cells that cannot be picked themselves. */
  steps?: Step[];
}

/** Any one of these pieces, by id. */
export interface Pieces {
  pick: "piece";
  param: string;
  pieces: number[];
  /** What each is called, where some of them may stand on no board. */
  names?: string[];
}

/** Any whole number from `least` to `most`. */
export interface Range {
  pick: "number";
  param: string;
  least: number;
  most: number;
  /** What most people want, where that is not the most. */
  usual?: number | null;
}

/** Any one of these words, or of false and true for a switch; `optional` ones may also be left out. */
export interface Choices {
  pick: "choice";
  param: string;
  choices: (string | boolean)[];
  optional: boolean;
}

/** Any way through these cells, following parents back to the piece. */
export interface Paths {
  pick: "path";
  param: string;
  steps: Step[];
}

export type Menu = Cells | Pieces | Range | Choices | Paths;

export type PickKind = "piece" | "cell" | "direction" | "path" | "number" | "choice" | "text";

export type Cell = [number, number];

/** What became of one order. */
export interface Result {
  order: unknown;
  ok: boolean;
  reason: string;
  sentence: string;
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
  reason: string;
}

/** A place in which a new match of the same kind starts whenever one has ended. */
export interface RoomCreate {
  name: string;
  template: MatchCreate;
  /** Between two matches. */
  pause?: number;
}

/** A room and the match that is on in it. */
export interface RoomInfo {
  name: string;
  template: Required<MatchCreate>;
  pause: number;
  open: boolean;
  match: string | null;
}

/** What is to be different in a room; the match that is on goes on as it is. */
export interface RoomUpdate {
  template?: MatchCreate;
  pause?: number;
  /** A room that is not open starts no further match. */
  open?: boolean;
}

export type RunState = "lobby" | "running" | "over" | "empty";

/** What a round is worth: points by place, or the sum of a figure. `ties` decides between equal sums. */
export interface Scoring {
  /** For each place; one less for every place beyond the last. */
  points?: number[];
  /** A place beyond the last still gives 1 point to a player with any of this figure; nothing without it. */
  earned_by?: string;
  /** Add up this figure instead of points. */
  figure?: string;
  /** Figures of which fewer are better, the first that differs decides. */
  ties?: string[];
}

/** Matches by schedule for the players who register while the lobby is open. Final ones count for the standings. */
export interface RoundCreate {
  name: string;
  /** Its seats are those of the organiser's own bots; everybody registered gets one more. */
  template: MatchCreate;
  starts: number;
  kind?: "test" | "final";
  /** How long before its start one may register. */
  lobby?: number;
  /** How many times it is played; 0 without end. */
  runs?: number;
  /** Seconds from start to start; without it the lobby of the next opens a pause after the last one's end. */
  every?: number | null;
  pause?: number;
  /** The game's own if left out. */
  scoring?: Scoring | null;
  /** Playings use these in turn; without any, those of a final round that the game names, else the template's. */
  maps?: unknown[];
}

/** What is to be different in a round. Once it was played, what it is played with and what it is worth stay. */
export interface RoundUpdate {
  name?: string;
  template?: MatchCreate;
  /** When the next playing starts, while its lobby lasts. */
  starts?: number;
  kind?: "test" | "final";
  lobby?: number;
  runs?: number;
  every?: number | null;
  pause?: number;
  scoring?: Scoring;
  maps?: unknown[];
  /** A round that is not open plans no further playing; one that is opened again goes on. */
  open?: boolean;
}

/** One playing of a round: its lobby opens, it starts, it is over; empty if too few had registered. */
export interface RunInfo {
  number: number;
  opens: number;
  starts: number;
  state: RunState;
  registered: number;
  match: string | null;
}

/** A round as everybody may see it. */
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
  /** The one that is on or comes next; None after the last. */
  current: RunInfo | null;
}

/** Take part in the next match of a round, under this name or the account's. */
export interface Registration {
  name?: string;
}

/** Who is registered for which playing of a round. */
export interface Registered {
  round: string;
  number: number;
  name: string;
  starts: number;
}

/** One account's place over all playings that count. */
export interface RoundStanding {
  place: number;
  account: string | null;
  name: string;
  points: number;
  played: number;
  figures: Record<string, number>;
}

export type LayerType = "code" | "player" | "players" | "number";

export type ArgumentType = "cell" | "piece" | "player" | "number" | "steps" | "choice";

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
}

/** One kind of event: its arguments by name, and how it moves. */
export interface EventKind {
  name: string;
  args: Record<string, ArgumentType>;
  motion?: Motion;
  choices?: string[];
  /** The player it names is out of the match. */
  ends_player?: boolean;
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
}

/** The board: its cells by coordinates, in the order in which frames name them. */
export interface BoardShape {
  topology: "square" | "hex";
  dialect: string;
  size: number;
  /** Least and greatest first coordinate, least and greatest second one. */
  box: [number, number, number, number];
  chunk: number;
}

/** Everything a viewer must know once to draw every frame. */
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
  gone?: number[];
  events?: SceneEvent[];
  /** Cells out of sight as they were when they were last seen: in a key frame all of them, else those that left. */
  remembered?: Patch[];
  audience?: number | null;
}

export type TeamRole = "leader" | "vice" | "trooper";

/** From the first day to the last, both included, in UTC; no other season may overlap. */
export interface SeasonCreate {
  name: string;
  start: string;
  end: string;
}

/** What is to be different about a season. */
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

/** An account in a team. */
export interface Member {
  account: string;
  role?: TeamRole;
}

/** A team: one leader, at most one vice-leader, troopers. */
export interface Team {
  name: string;
  members: Member[];
}

/** A game of a season; its settings, map and clock are those of the template, its seats the teams' members. */
export interface SeasonGameCreate {
  name: string;
  template: MatchCreate;
  teams?: Team[];
}

/** What is to be different about a game of a season. Once its match has started only name and clock may change. */
export interface SeasonGameUpdate {
  name?: string;
  template?: MatchCreate;
  /** The length of turns; a match that is on has it from its next turn on. */
  clock?: WhenReady | Every | AtTimes;
}

/** A game of a season; it starts with its season, as soon as it has its teams. */
export interface SeasonGameInfo {
  id: string;
  season: string;
  name: string;
  template: Required<MatchCreate>;
  match: string | null;
  teams: Team[];
  /** What the members are called, by account. */
  names: Record<string, string>;
}
