/** The events of a turn as sentences: events of a kind are counted, those of one player put together, a battle is one line. */

import type { ArgumentType, Cell, EventKind, SceneEvent } from "../api/types";
import { fieldsOf, formatValue, gameWords, renderTemplate, type GameWords, type Part, type Values } from "../app/sentences";
import type { Piece, Scene } from "../board/scene";

export interface EventLine {
  parts: Part[];
  /** Something or someone is lost. */
  grave: boolean;
  /** What happened in a battle, step by step. */
  steps: Part[][];
}

type Arguments = SceneEvent[1];

interface Event {
  kind: EventKind;
  values: Arguments;
}

interface Group {
  kind: EventKind;
  members: Arguments[];
}

/** Events that open a battle, mostly one, and those that belong to it. */
interface Battle {
  heads: Event[];
  events: Event[];
}

interface Ranked extends EventLine {
  /** 2 for what the reader did, 1 for what concerns the reader. */
  rank: number;
}

const HUNDREDTHS = 100;
const MOST_CLAUSES = 4;
/** Of more events only these are shown, and those that concern the reader. */
const MOST_EVENTS = 1000;
const SUMMED: readonly ArgumentType[] = ["number", "hundredths"];

/** The lines of some events in the order in which they happened, what concerns `reader` first. */
export function eventLines(events: readonly SceneEvent[], scene: Scene, reader: number | null): EventLine[] {
  const writer = new Writer(scene, reader);
  const { battles, others } = sortEvents(events.length <= MOST_EVENTS ? events : events.filter((event, index) => index < MOST_EVENTS || writer.concerns(event)), scene);
  const lines = [...mergeBattles(battles, writer.words).map((battle) => writer.battle(battle)), ...writer.lines(groupEvents(others, writer.words))];
  return lines.sort((one, other) => other.rank - one.rank).map((line) => ({ ...line, parts: capitalize(line.parts) }));
}

/** One event as a sentence. */
export function eventSentence([kind, values]: SceneEvent, scene: Scene): Part[] {
  const event = scene.legend.events[kind];
  return event === undefined ? [] : capitalize(new Writer(scene, null).sentence({ kind: event, members: [values] }));
}

function sortEvents(events: readonly SceneEvent[], scene: Scene): { battles: Battle[]; others: Event[] } {
  const battles: Battle[] = [];
  const numbered = new Map<unknown, Battle>();
  const others: Event[] = [];
  let last: Battle | null = null;
  for (const [index, values] of events) {
    const kind = scene.legend.events[index];
    if (kind === undefined) continue;
    const event: Event = { kind, values };
    const number = valueOf(event.kind, values, "battle");
    if (kind.battle === "opens") {
      last = { heads: [event], events: [] };
      battles.push(last);
      if (number !== undefined) numbered.set(number, last);
      continue;
    }
    const battle = !kind.battle ? null : number === undefined ? last : (numbered.get(number) ?? null);
    if (battle === null) {
      others.push(event);
      last = null;
    } else battle.events.push(event);
  }
  return { battles, others };
}

/** Events that one sentence can tell, in the order of the first of each. */
function groupEvents(events: readonly Event[], words: GameWords): Group[] {
  const groups = new Map<string, Group>();
  for (const event of events) {
    const key = groupKey(event, words) ?? `${groups.size}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kind: event.kind, members: [event.values] });
    else group.members.push(event.values);
  }
  return [...groups.values()];
}

/** Battles that one sentence can open. */
function mergeBattles(battles: readonly Battle[], words: GameWords): Battle[] {
  const merged = new Map<string, Battle>();
  for (const { heads, events } of battles) {
    const key = (heads[0] === undefined ? null : groupKey(heads[0], words)) ?? `${merged.size}`;
    const battle = merged.get(key) ?? { heads: [], events: [] };
    merged.set(key, { heads: [...battle.heads, ...heads], events: [...battle.events, ...events] });
  }
  return [...merged.values()];
}

/** Equal for events that one sentence can tell; null for an event with a sentence of its own. */
function groupKey({ kind, values }: Event, words: GameWords): string | null {
  let indices = words.shared.get(kind);
  if (indices === undefined) {
    const many = words.words.events?.[kind.name]?.many;
    const names = many ? fieldsOf(many).filter((name) => name in kind.args && !SUMMED.includes(kind.args[name] ?? "number")) : null;
    indices = names?.map((name) => indexOf(kind, name)) ?? null;
    words.shared.set(kind, indices);
  }
  return indices === null ? null : `${kind.name} ${indices.map((index) => String(values[index])).join(" ")}`;
}

/** By kind, where its arguments are. */
const places = new WeakMap<EventKind, Map<string, number>>();

function indexOf(kind: EventKind, name: string): number {
  let found = places.get(kind);
  if (found === undefined) {
    found = new Map(Object.keys(kind.args).map((argument, index) => [argument, index]));
    places.set(kind, found);
  }
  return found.get(name) ?? -1;
}

class Writer {
  readonly words: GameWords;

  constructor(
    private readonly scene: Scene,
    private readonly reader: number | null,
  ) {
    this.words = gameWords(scene.legend);
  }

  /** A line for each player or piece that acts. */
  lines(groups: readonly Group[]): Ranked[] {
    const byActor = new Map<string, Group[]>();
    groups.forEach((group, index) => {
      const actor = this.actor(group);
      const key = actor === null ? `${index}` : JSON.stringify(actor);
      const clauses = byActor.get(key);
      if (clauses === undefined) byActor.set(key, [group]);
      else clauses.push(group);
    });
    return [...byActor.values()].flatMap(inParts).map((clauses) => ({
      parts: this.join(clauses),
      grave: clauses.some(({ kind }) => kind.motion === "fade"),
      steps: [],
      rank: Math.max(...clauses.map((group) => this.rank(group))),
    }));
  }

  battle({ heads, events }: Battle): Ranked {
    const [opening] = groupEvents(heads, this.words);
    if (opening === undefined) throw new Error("A battle has no beginning.");
    const outcomes = this.lines(groupEvents(events.filter(({ kind }) => kind.battle === "outcome"), this.words));
    const parts = outcomes.flatMap((line, index) => [{ text: index === 0 ? ": " : "; " }, ...line.parts]);
    const members = [opening, ...events.map(({ kind, values }) => ({ kind, members: [values] }))];
    return {
      parts: [...this.sentence(opening), ...parts],
      grave: outcomes.some(({ grave }) => grave),
      steps: members.slice(1).map((group) => capitalize(this.sentence(group))),
      rank: Math.max(...members.map((group) => this.rank(group))),
    };
  }

  sentence(group: Group, template = this.template(group)): Part[] {
    return renderTemplate(template, new GroupValues(group, this.scene, this.words));
  }

  /** `A built two mines, took a cell and lost its home`: who acts is named once. */
  private join(clauses: readonly Group[]): Part[] {
    return clauses.flatMap((group, index) => {
      const template = this.template(group);
      if (index === 0) return this.sentence(group, template);
      const link = index === clauses.length - 1 ? ` ${this.words.phrase("and")} ` : ", ";
      return [{ text: link }, ...this.sentence(group, template.replace(/^\{[^{}]*\} /, ""))];
    });
  }

  private template({ kind, members }: Group): string {
    const found = this.words.words.events?.[kind.name];
    if (found === undefined) return plainTemplate(kind);
    return members.length > 1 && found.many ? found.many : found.one;
  }

  /** The player or piece with which the sentence begins. */
  private actor(group: Group): [ArgumentType, unknown] | null {
    const name = /^\{(\w+)\} /.exec(this.template(group))?.[1] ?? "";
    const type = group.kind.args[name];
    return type === "player" || type === "piece" ? [type, valueOf(group.kind, group.members[0] ?? [], name) ?? null] : null;
  }

  /** Whether the reader or a piece of the reader has to do with an event. */
  concerns([kind, values]: SceneEvent): boolean {
    return Object.values(this.scene.legend.events[kind]?.args ?? {}).some((type, index) => this.isOwn(type, values[index]));
  }

  private isOwn(type: ArgumentType, value: unknown): boolean {
    if (this.reader === null) return false;
    return type === "player" ? value === this.reader : type === "piece" && this.scene.knownPiece(value as number)?.owner === this.reader;
  }

  private rank(group: Group): number {
    if (this.reader === null) return 0;
    const actor = this.actor(group);
    if (actor !== null && this.isOwn(...actor)) return 2;
    const types = Object.values(group.kind.args);
    return group.members.some((values) => types.some((type, index) => this.isOwn(type, values[index]))) ? 1 : 0;
  }
}

/** The values of events that share one sentence: numbers are added up, the rest is the same for all or not named. */
class GroupValues implements Values {
  constructor(
    private readonly group: Group,
    private readonly scene: Scene,
    private readonly words: GameWords,
  ) {}

  number = (name: string): number => {
    const { kind, members } = this.group;
    if (name === "count") return members.length;
    const sum = members.reduce((total, values) => total + Number(valueOf(kind, values, name) ?? 0), 0);
    return kind.args[name] === "hundredths" ? sum / HUNDREDTHS : sum;
  };

  part(name: string, form: string): Part | null {
    const { kind, members } = this.group;
    const type = kind.args[name];
    if (type === undefined || SUMMED.includes(type)) return { text: formatValue(this.number(name)) };
    const value = valueOf(kind, members[0] ?? [], name);
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return { text: value.join(", "), cell: this.scene.grid.fromWritten(value as Cell) };
    if (type === "player") return { text: this.scene.names[Number(value)] ?? this.words.phrase("player"), side: this.scene.side(Number(value)), proper: true };
    if (type === "team") return { text: this.scene.teamName(Number(value)), side: Number(value), proper: true };
    if (type === "piece") return this.piece(this.scene.knownPiece(Number(value)), form);
    const word = typeof value === "string" ? value : type === "kind" ? this.scene.legend.kinds[value]?.name : kind.choices?.[value];
    const text = this.words.noun(type === "kind" ? "kinds" : "choices", word ?? String(value), form, this.number);
    return text.trim() === "" || text === "a " ? null : { text };
  }

  substitute(name: string): Part {
    const type = this.group.kind.args[name];
    return { text: type === "player" || type === "piece" ? this.words.phrase(type) : "" };
  }

  private piece(piece: Piece | null, form: string): Part | null {
    if (piece === null) return null;
    const { scene, words } = this;
    const name = scene.legend.kinds[piece.kind]?.name ?? "piece";
    const team = scene.teamOf(piece);
    const cell: Cell = [piece.column, piece.row];
    if (form !== "" || (piece.owner < 0 && team < 0)) return { text: words.noun("kinds", name, form || "a", this.number), cell };
    const own = scene.pieceNames.get(piece.id);
    const kind = own === undefined ? words.name("kinds", name) : words.phrase("named_piece", { kind: words.name("kinds", name), name: own });
    if (piece.owner < 0) return { text: words.phrase("team_piece", { kind, team: scene.teamName(team) }), side: team, cell };
    const player = scene.names[piece.owner] ?? words.phrase("player");
    return { text: words.phrase("owned_piece", { player, kind }), side: scene.side(piece.owner), cell, proper: words.name("phrases", "owned_piece").startsWith("{player}") };
  }
}

/** No line has more clauses than can be read at a glance. */
function inParts(clauses: Group[]): Group[][] {
  return Array.from({ length: Math.ceil(clauses.length / MOST_CLAUSES) }, (_, index) => clauses.slice(index * MOST_CLAUSES, (index + 1) * MOST_CLAUSES));
}

function valueOf(kind: EventKind, values: Arguments, name: string): Arguments[number] | undefined {
  return values[indexOf(kind, name)];
}

/** What is said of an event of an earlier version, whose legend has no words. */
function plainTemplate(kind: EventKind): string {
  const actor = Object.entries(kind.args).find(([, type]) => type === "player")?.[0];
  const name = kind.name.replaceAll("_", " ");
  return actor === undefined ? name : `{${actor}} ${name}`;
}

/** With a capital letter, unless it begins with a name. */
function capitalize(parts: Part[]): Part[] {
  const [first, ...rest] = parts;
  if (first === undefined || first.proper) return parts;
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest];
}
