/** Refusals of the server in the reader's language, by code and arguments. */

import type { Problem } from "../api/types";
import { words } from ".";

const FIELD = /\{(\w+)(?::,)?\}/g;

/** What a refusal says; in English, or where it has no code, the server's own sentence. */
export function refusalText({ code, arguments: given, sentence }: Pick<Problem, "code" | "arguments" | "sentence">, templates: Readonly<Record<string, string>> = words.refusals): string {
  const template = templates[code];
  return template === undefined ? sentence : template.replace(FIELD, (field, name: string) => valueText(given[name], field.includes(":")));
}

/** Large numbers have separators, as the language writes them. */
function valueText(value: unknown, large: boolean): string {
  return large && typeof value === "number" ? words.number(value) : String(value);
}
