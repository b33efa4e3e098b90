/** Requests of organisers; the others are in `client.ts`. */

import { get, send } from "./client";
import type { AccountInfo, Album, AuditEntry, Clock, CollectionInfo, HolderInfo, ItemInfo, JobRun, MatchInfo, MatchCreate, PictureInfo, Role, RoomInfo, RoundInfo, RoundStanding, RunInfo, SchemaInfo, SeasonGameInfo, SeasonInfo, SourceInfo, Team, TemplateInfo, TokenInfo, WalletInfo } from "./types";

const at = (text: string): string => encodeURIComponent(text);

export const organiserApi = {
  endTurn: (id: string) => send<void>("POST", `/matches/${id}/end-turn`),
  removeMatch: (id: string) => send<void>("DELETE", `/matches/${id}`),
  setClock: (id: string, clock: Clock) => send<MatchInfo>("PATCH", `/matches/${id}`, { clock }),

  createRoom: (room: { name: string; template: MatchCreate; pause: number }) => send<RoomInfo>("POST", "/rooms", room),
  changeRoom: (name: string, change: { template?: MatchCreate; pause?: number; open?: boolean }) => send<RoomInfo>("PATCH", `/rooms/${at(name)}`, change),
  removeRoom: (name: string) => send<void>("DELETE", `/rooms/${at(name)}`),

  runs: (id: string) => get<RunInfo[]>(`/rounds/${id}/runs`),
  standings: (id: string) => get<RoundStanding[]>(`/rounds/${id}/standings`),
  createRound: (round: object) => send<RoundInfo>("POST", "/rounds", round),
  changeRound: (id: string, change: object) => send<RoundInfo>("PATCH", `/rounds/${id}`, change),
  closeRound: (id: string) => send<void>("DELETE", `/rounds/${id}`),

  seasons: () => get<SeasonInfo[]>("/seasons"),
  season: (id: string) => get<SeasonInfo>(`/seasons/${at(id)}`),
  createSeason: (season: { name: string; start: string; end: string }) => send<SeasonInfo>("POST", "/seasons", season),
  changeSeason: (id: string, change: { name: string; start: string; end: string }) => send<SeasonInfo>("PATCH", `/seasons/${id}`, change),
  removeSeason: (id: string) => send<void>("DELETE", `/seasons/${id}`),
  gamesOf: (season: string) => get<SeasonGameInfo[]>(`/seasons/${season}/games`),
  seasonGame: (id: string) => get<SeasonGameInfo>(`/season-games/${id}`),
  createGame: (season: string, game: { name: string; template: MatchCreate }) => send<SeasonGameInfo>("POST", `/seasons/${season}/games`, game),
  changeGame: (id: string, change: { name?: string; template?: MatchCreate; clock?: Clock }) => send<SeasonGameInfo>("PATCH", `/season-games/${id}`, change),
  removeGame: (id: string) => send<void>("DELETE", `/season-games/${id}`),
  setTeams: (id: string, teams: Team[]) => send<SeasonGameInfo>("PUT", `/season-games/${id}/teams`, teams),

  jobs: (match?: string) => get<JobRun[]>("/jobs", { match }),
  runJob: (match: string, name: string) => send<JobRun>("POST", "/jobs", { match, name }),

  collections: () => get<CollectionInfo[]>("/ledger/collections"),
  createCollection: (collection: object) => send<CollectionInfo>("POST", "/ledger/collections", collection),
  schemas: () => get<SchemaInfo[]>("/ledger/schemas"),
  createSchema: (schema: object) => send<SchemaInfo>("POST", "/ledger/schemas", schema),
  wallets: () => get<WalletInfo[]>("/ledger/wallets"),
  confirmWallet: (account: string, confirmed: boolean) => send<WalletInfo>("PUT", `/ledger/wallets/${at(account)}`, { confirmed }),
  ownWallet: () => get<WalletInfo>("/ledger/wallet"),
  setWallet: (wallet: string | null) => send<WalletInfo>("PUT", "/ledger/wallet", { wallet }),
  sources: () => get<SourceInfo[]>("/ledger/sources"),
  templates: () => get<TemplateInfo[]>("/ledger/templates"),
  createTemplate: (template: object) => send<TemplateInfo>("POST", "/ledger/templates", template),
  addPicture: (data: string) => send<PictureInfo>("POST", "/ledger/pictures", { data }),
  mint: (template: number, owner: string, amount: number) => send<ItemInfo[]>("POST", "/ledger/mint", { template, owner, amount }),
  give: (item: number, owner: string) => send<ItemInfo>("PATCH", `/ledger/items/${item}`, { owner }),
  gift: (item: number, owner: string) => send<ItemInfo>("POST", `/ledger/items/${item}/gift`, { owner }),
  holders: () => get<HolderInfo[]>("/ledger/holders"),
  album: (account: string) => get<Album>(`/ledger/albums/${at(account)}`),
  setStake: (account: string, stake: number) => send<Album>("PUT", `/ledger/stakes/${at(account)}`, { stake }),
  setAvatar: (avatar: number | null) => send<Album>("PUT", "/ledger/avatar", { avatar }),

  accounts: (find: string, after = "") => get<AccountInfo[]>("/accounts", { find, after }),
  account: (id: string) => get<AccountInfo>(`/accounts/${at(id)}`),
  setRole: (id: string, role: Role) => send<AccountInfo>("PATCH", `/accounts/${id}`, { role }),
  tokens: (account?: string) => get<TokenInfo[]>(account === undefined ? "/tokens" : `/accounts/${account}/tokens`),
  createToken: (label: string, account?: string) => send<{ id: string; token: string }>("POST", account === undefined ? "/tokens" : `/accounts/${account}/tokens`, { label }),
  revokeToken: (id: string, account?: string) => send<void>("DELETE", account === undefined ? `/tokens/${id}` : `/accounts/${account}/tokens/${id}`),

  audit: (before?: number) => get<AuditEntry[]>("/admin/audit", { before, limit: 100 }),
};
