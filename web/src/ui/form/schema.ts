/** JSON Schema as the server writes it, read as fields of a form. */

import { words } from "../../i18n";

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema | false;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  title?: string;
  description?: string;
  format?: string;
  "x-group"?: string;
}

export type Values = Record<string, unknown>;
export type Kind = "boolean" | "integer" | "number" | "choice" | "string" | "picture" | "tuple" | "list" | "object" | "any";

export interface Field {
  name: string;
  schema: Schema;
  kind: Kind;
  /** Whether null is allowed. */
  nullable: boolean;
}

export interface Group {
  name: string;
  fields: Field[];
}

/** Follow references, and split `or null` off. */
export function resolveSchema(schema: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  if (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema;
    const found = root.$defs?.[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {};
    return resolveSchema({ ...found, ...beside }, root);
  }
  const options = schema.anyOf;
  if (options !== undefined) {
    const real = options.filter((option) => option.type !== "null");
    if (real.length === 1) {
      const { anyOf: _, ...beside } = schema;
      return { schema: { ...resolveSchema(real[0] as Schema, root).schema, ...beside }, nullable: real.length < options.length };
    }
  }
  if (Array.isArray(schema.type)) {
    const real = schema.type.filter((type) => type !== "null");
    if (real.length === 1) return { schema: { ...schema, type: real[0] as string }, nullable: real.length < schema.type.length };
  }
  return { schema, nullable: false };
}

export function parseField(name: string, given: Schema, root: Schema): Field {
  const { schema, nullable } = resolveSchema(given, root);
  return { name, schema, kind: kindOf(schema), nullable };
}

function kindOf(schema: Schema): Kind {
  if (schema.enum !== undefined || schema.const !== undefined) return "choice";
  if (schema.prefixItems !== undefined) return "tuple";
  if (schema.format === "picture") return "picture";
  switch (schema.type) {
    case "boolean":
    case "integer":
    case "number":
    case "string":
      return schema.type;
    case "array":
      return schema.items ? "list" : "any";
    case "object":
      return schema.properties === undefined ? "any" : "object";
    default:
      return "any";
  }
}

/** The fields of an object under their headings, in the order in which they were written. */
export function groupsOf(given: Schema, root: Schema, hidden: readonly string[] = []): Group[] {
  const { schema } = resolveSchema(given, root);
  const groups = new Map<string, Field[]>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (hidden.includes(name)) continue;
    const heading = property["x-group"] ?? "";
    groups.set(heading, [...(groups.get(heading) ?? []), parseField(name, property, root)]);
  }
  return [...groups].map(([name, fields]) => ({ name, fields }));
}

/** The value of a field that is not set. */
export function defaultOf(field: Field, root: Schema): unknown {
  if (field.schema.default !== undefined) return field.schema.default;
  if (field.nullable) return null;
  switch (field.kind) {
    case "boolean":
      return false;
    case "integer":
    case "number":
      return field.schema.minimum ?? 0;
    case "choice":
      return field.schema.const ?? field.schema.enum?.[0];
    case "string":
      return "";
    case "tuple":
      return (field.schema.prefixItems ?? []).map((part) => defaultOf(parseField("", part, root), root));
    case "list":
      return [];
    case "object":
      return {};
    default:
      return null;
  }
}

export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** `values` with one value set, or removed if it equals the default; unknown keys stay. */
export function withValue(values: Values, name: string, value: unknown, base: unknown): Values {
  const { [name]: _, ...rest } = values;
  return value === undefined || isEqual(value, base) ? rest : { ...rest, [name]: value };
}

/** Which of these fields a sentence of the server is about. */
export function namedField(sentence: string, names: readonly string[]): string | null {
  const at = /at `\$?\.?(\w+)/.exec(sentence)?.[1];
  if (at !== undefined && names.includes(at)) return at;
  const words = new Set(sentence.match(/\w+/g) ?? []);
  const found = names.filter((name) => words.has(name)).sort((a, b) => b.length - a.length);
  return found[0] ?? null;
}

/** The bounds of a number, in as few characters as possible. */
export function bounds(schema: Schema): string {
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const most = schema.maximum ?? schema.exclusiveMaximum;
  const write = (value: number): string => words.number(value);
  if (least !== undefined && most !== undefined) return `${write(least)} – ${write(most)}`;
  if (least !== undefined) return words.forms.from(write(least));
  return most === undefined ? "" : `to ${write(most)}`;
}
