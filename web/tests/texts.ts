/** Finds texts that stand in the sources of the page instead of `src/i18n`. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "svelte/compiler";
import ts from "typescript";

const SOURCES = new URL("../src/", import.meta.url).pathname;
/** Attributes, and properties of our components, that people read or hear. */
const READ = new Set(["aria-label", "aria-description", "title", "placeholder", "alt", "label", "help", "verb", "done", "heading", "empty", "caption", "subtitle", "text", "question", "description"]);
/** Names of keys, units and formats, which are the same in each language. */
const SAME = /^([\s·.,:;()+−–…×✓○✗/#%-]|\b(Alt|Ctrl|Shift|Enter|Space|Home|End|Esc|Del|Backspace|PgDn|PgUp|UTC|px|JSON|[a-zA-Z0-9])\b|[↑↓←→↵⇧]|--\w+|\.march|ml_|ABCD|EFGH|06:00|18:00)*$/u;
/** Words that follow one another, or a sentence of one word. */
const SENTENCE = /^\p{L}[\p{L}\p{N}'’]*,? \p{L}{2,}|^\p{Lu}\p{Ll}+[.!?…]$/u;
/** What has words, but is no text: paths of glyphs, CSS, keys of storage and of maps, fonts. */
const NO_TEXT = /^[Mm][-\d. ]+[\d.]|^\d+ |px|^(mark|sprite|ring|land|piece|missed|death|new|bot|season game) ?$|Variable|prefers-|marchland\.|^Bearer|^bearer\.| edge$|^input, |^by hand$/;

interface Node {
  type: string;
  [key: string]: unknown;
}

function sources(folder = SOURCES): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "i18n" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !/\.generated\.ts$|api\/types\.ts$/.test(path) ? [path] : [];
  });
}

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text) && !SAME.test(text.trim());
const isSentence = (text: string): boolean => SENTENCE.test(text.trim()) && !SAME.test(text.trim()) && !NO_TEXT.test(text);

/** Literal texts of the markup: between tags, and in attributes that are read. */
function findInMarkup(node: unknown, found: string[]): void {
  if (Array.isArray(node)) {
    for (const part of node) findInMarkup(part, found);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, ...rest } = node as Node;
  if (type === "Text" && hasWords(String(rest["data"]))) found.push(String(rest["data"]).trim());
  if (type === "Attribute") {
    const value = rest["value"];
    if (READ.has(String(rest["name"]))) findInMarkup(value, found);
    return;
  }
  if (type === "RegularElement" && ["code", "kbd", "style"].includes(String(rest["name"]))) return;
  for (const [key, part] of Object.entries(rest)) if (!["start", "end", "loc", "parent", "expression", "test"].includes(key)) findInMarkup(part, found);
}

/** Sentences among the literals of scripts and expressions. */
function findInScript(code: string, found: string[]): void {
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText() === "Error") return; // for developers
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (isSentence(node.text)) found.push(node.text);
    } else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
      if (parts.some((part) => /(^|\s)\p{L}{3,}(\s|[.,!?]|$)/u.test(part) && !NO_TEXT.test(part) && !/[/=#]/.test(part))) found.push(node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("script.ts", code, ts.ScriptTarget.Latest, true));
}

interface Script {
  content: { start: number; end: number };
}

/** By file the texts that are not in `src/i18n`. */
export function strayTexts(): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const path of sources()) {
    const code = readFileSync(path, "utf8");
    const found: string[] = [];
    if (path.endsWith(".svelte")) {
      const tree = parse(code, { modern: true }) as unknown as { fragment: unknown; instance: Script | null; module: Script | null };
      findInMarkup(tree.fragment, found);
      for (const script of [tree.instance, tree.module]) if (script) findInScript(code.slice(script.content.start, script.content.end), found);
      for (const [, expression] of code.replace(/<(script|style)[\s\S]*?<\/\1>/g, "").matchAll(/[^$]\{([^{}#:/@][^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g)) findInScript(`(${expression})`, found);
    } else findInScript(code, found);
    if (found.length > 0) all[path.slice(SOURCES.length)] = [...new Set(found)];
  }
  return all;
}
