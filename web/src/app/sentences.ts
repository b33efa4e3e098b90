/** Sentences from the templates of a game's words; `marchland.messages.words` says what may stand in a template. */

import type { Cell, EventKind, Forecast, Language, Legend, Outcome, Phrase, Result, Words } from "../api/types";
import { byLanguage, language } from "../i18n";
import { humanize } from "./format";

/** A piece of a sentence: plain text, or something that can be found on the board. */
export interface Part {
  text: string;
  /** Whose colour it has. */
  side?: number;
  cell?: Cell;
  /** It begins with a name, which is written as it is. */
  proper?: boolean;
}

/** The values of a template. */
export interface Values {
  /** A value as it is written; null if it is missing. `form` says how a noun is written. */
  part(name: string, form: string): Part | null;
  /** What stands for a value that is missing. */
  substitute(name: string): Part;
  number(name: string): number;
}

/** From here on ids of pieces tell nothing to people. */
export const LONG_ID = 100_000;
const NO_WORDS: Words = {};
const OPTIONAL = /\[([^[\]]*)\]/g;
/** Vowels, and letters that are spoken with one, as in "an NPC". */
const AN = /^([aeiouAEIOU]|[FHLMNRSX][A-Z])/;
const FIELD = /\{([\w.]+)(?::([^{}]*))?\}/g;
/** Where each form stands. In Russian a fraction goes with the form of a few. */
const FORMS: Record<Language, Partial<Record<Intl.LDMLPluralRule, number>>> = { en: { one: 0, other: 1 }, ru: { one: 0, few: 1, many: 2, other: 1 } };
const rules = byLanguage((name) => new Intl.PluralRules(name));
const written = byLanguage((name) => new Intl.NumberFormat(name, { maximumFractionDigits: 2 }));

/** The form of a noun (`bee|bees`) that goes with a number. */
export function chooseForm(forms: string, count: number): string {
  const all = forms.split("|");
  return all[Math.min(FORMS[language][rules().select(count)] ?? 0, all.length - 1)] ?? "";
}

export function formatValue(value: number): string {
  return written().format(value);
}

/** The names of the values in a template. */
export function fieldsOf(template: string): string[] {
  return [...template.matchAll(FIELD)].map((field) => field[1] ?? "");
}

/** A sentence in parts. */
export function renderTemplate(template: string, values: Values): Part[] {
  const lacks = (name: string): boolean => [undefined, "0"].includes(values.part(name, "name")?.text);
  const kept = template.replace(OPTIONAL, (_, inner: string) => (fieldsOf(inner).some(lacks) ? "" : inner));
  const parts: Part[] = [];
  let end = 0;
  for (const field of kept.matchAll(FIELD)) {
    const [whole, name = "", form = ""] = field;
    if (field.index > end) parts.push({ text: kept.slice(end, field.index) });
    end = field.index + whole.length;
    parts.push(form.includes("|") ? { text: chooseForm(form, values.number(name)) } : (values.part(name, form) ?? values.substitute(name)));
  }
  if (end < kept.length) parts.push({ text: kept.slice(end) });
  return parts;
}

export function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join("");
}

/** The name of a value that is a piece; null for other values. */
type PieceNamer = (name: string, value: number) => string | null;

type Names = "verbs" | "kinds" | "figures" | "choices" | "phrases";

/** A game's words in the reader's language. Replays of earlier versions have none: their words are those of the rules. */
export class GameWords {
  readonly words: Words;
  readonly language = language;
  /** By kind of event, which arguments are the same in all events of one sentence; null if each has its own sentence. */
  readonly shared = new WeakMap<EventKind, number[] | null>();

  constructor(legend: Legend) {
    this.words = legend.words?.[language] ?? legend.words?.["en"] ?? NO_WORDS;
  }

  /** The name of a word, in the form that goes with a number. */
  name(part: Names, word: string, count = 1): string {
    return chooseForm(this.words[part]?.[word] ?? humanize(word), count);
  }

  parameter(verb: string, name: string): string {
    return this.words.parameters?.[`${verb}.${name}`] ?? this.words.parameters?.[name] ?? humanize(name);
  }

  /** A word of a palette, of a choice or for a kind of piece, as a template wants it. */
  noun(part: Names, word: string, form: string, number: (name: string) => number): string {
    const plain = form === "" || form === "a" || form === "name";
    const name = this.name(part, word, plain ? 1 : number(form));
    return form === "a" && this.language === "en" ? `${AN.test(name) ? "an" : "a"} ${name}` : name;
  }

  /** A phrase with its values. */
  phrase(name: string, values: Record<string, string> = {}): string {
    return this.name("phrases", name).replace(FIELD, (_, field: string) => values[field] ?? "");
  }

  /** The name of a figure, a verb and so on at the beginning of a line. */
  title(part: Names, word: string): string {
    return capitalized(this.name(part, word));
  }

  /** What became of an order. `pieceOf` names a value that is a piece. */
  result({ code, arguments: given, sentence }: Result, pieceOf: PieceNamer = () => null): string {
    const template = this.words.results?.[code];
    return template === undefined || given["problem"] !== undefined ? sentence : capitalized(this.fill(template, given, pieceOf));
  }

  /** Why an order would be refused. */
  reason({ code, arguments: given = {} }: Phrase, pieceOf: PieceNamer = () => null): string {
    return capitalized(this.fill(this.words.results?.[code] ?? humanize(code), given, pieceOf));
  }

  /** The name of something that a menu offers. */
  phraseOf({ code, arguments: given = {} }: Phrase): string {
    return this.fill(this.words.phrases?.[code] ?? humanize(code), given);
  }

  /** What an order would do, as a sentence and for the board. */
  forecast({ code, arguments: given = {} }: Forecast): { sentence: string; label: string } {
    const templates = this.words.forecasts?.[code];
    return { sentence: this.fill(templates?.sentence ?? "", given), label: this.fill(templates?.label ?? "", given) };
  }

  /** Why a match is over. */
  outcome({ code, reason, arguments: given }: Outcome): string {
    const template = code ? this.words.outcomes?.[code] : undefined;
    return template === undefined ? reason : this.fill(template, given ?? {});
  }

  private fill(template: string, given: Readonly<Record<string, unknown>>, pieceOf: PieceNamer = () => null): string {
    const number = (name: string): number => (typeof given[name] === "number" ? (given[name] as number) : 0);
    const part = (name: string, form: string): Part | null => {
      const value = given[name];
      if (value === null || value === undefined) return null;
      if (typeof value === "number") return { text: pieceOf(name, value) ?? formatValue(value) };
      if (Array.isArray(value)) return { text: value.join(", ") };
      const word = String(value);
      const where = word in (this.words.choices ?? {}) ? "choices" : "kinds";
      return { text: form === "" ? word : this.noun(where, word, form, number) };
    };
    return textOf(renderTemplate(template, { part, number, substitute: () => ({ text: "" }) }));
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const known = new WeakMap<Legend, GameWords>();

export function gameWords(legend: Legend): GameWords {
  let found = known.get(legend);
  if (found?.language !== language) {
    found = new GameWords(legend);
    known.set(legend, found);
  }
  return found;
}
