/** What only organisers send and are told: a mirror of `marchland.messages.organising` and `.ledger`. */

import type { NewMatch } from "../../api/types";
import type { Values } from "../../ui/form/schema";

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
