/** What organisers send and are told: a mirror of `marchland.messages.organising` and `.ledger`. */

import type { Clock, Role, Verb } from "../../lib/types";
import type { Schema, Values } from "../../ui/form/schema";

export interface GameInfo {
  name: string;
  version: number;
  players: [least: number, most: number];
  fogged: boolean;
  immediate: boolean;
  presets: string[];
  bots: string[];
  config_schema: Schema;
  verbs: Verb[];
  preset_field: string;
  preset_values: Record<string, Values>;
  items: Record<string, Schema>;
  jobs: Record<string, string>;
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
  spectator_delay?: number | null;
  auto_start?: boolean;
  seed?: number | null;
}

export interface Room {
  name: string;
  template: NewMatch;
  pause: number;
  open: boolean;
  match: string | null;
}

export interface Run {
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

export interface Round {
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
  current: Run | null;
}

export interface Standing {
  place: number;
  account: string | null;
  name: string;
  points: number;
  played: number;
}

export interface Season {
  id: string;
  name: string;
  start: string;
  end: string;
  active: boolean;
  games: string[];
}

export type TeamRole = "leader" | "vice" | "trooper";

export interface Member {
  account: string;
  role: TeamRole;
}

export interface Team {
  name: string;
  members: Member[];
}

export interface SeasonGame {
  id: string;
  season: string;
  name: string;
  template: NewMatch;
  match: string | null;
  teams: Team[];
  names: Record<string, string>;
}

export interface JobRun {
  match: string;
  name: string;
  key: string;
  at: number;
  node: string;
  done: number;
}

export interface Template {
  id: number;
  game: string;
  name: string;
  kind: string;
  facts: Values;
  minted: number;
}

export interface Item {
  id: number;
  template: number;
  mint: number;
  game: string;
  name: string;
  kind: string;
  facts: Values;
  owner: string;
  state: "free" | "held" | "spent";
  match: string | null;
}

export interface Album {
  account: string;
  stake: number;
  avatar: number | null;
  items: Item[];
}

export interface Holder {
  account: string;
  name: string;
  stake: number;
  items: number;
}

export interface Token {
  id: string;
  label: string;
  created: number;
}

export interface Deed {
  number: number;
  at: number;
  name: string;
  token: string | null;
  what: string;
  about: string;
  details: unknown;
}

export interface Account {
  id: string;
  name: string;
  role: Role;
  created: number;
}
