/** The pages of `docs/`, as they were when the app was built. */

import { titleOf } from "../../app/format";
import { words } from "../../i18n";

/** Addresses of the texts: files of their own, fetched when a page is opened, rather than scripts. */
const texts = import.meta.glob<string>("../../../../docs/**/*.md", { query: "?url&no-inline", import: "default", eager: true });
const pictures = import.meta.glob<string>("../../../../docs/**/*.svg", { query: "?url", import: "default", eager: true });
const ROOT = "../../../../docs/";
/** Programs that the pages link to. */
const programs = import.meta.glob<string>("../../../../examples/bots/*.{c,js,py}", { query: "?url&no-inline", import: "default", eager: true });
const REPOSITORY = "../../../../";

/** Names of pages whose file name is not a title. */
const NAMES: Record<string, string> = {
  "http-api": words.docs.httpApi,
  websocket: words.docs.webSocket,
  bots: words.docs.writeABotIn,
  playing: words.docs.playInTheBrowser,
  wires: words.docs.originalClients,
};

const FIRST = ["playing", "bots", "maps", "organising", "tournaments"];

export interface Page {
  path: string;
  name: string;
  load: () => Promise<string>;
}

/** A program as a file of its own. */
export interface Program extends Page {
  address: string;
}

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

export const pages: Page[] = Object.entries(texts)
  .map(([file, address]) => {
    const path = file.slice(ROOT.length, -".md".length);
    const last = path.split("/").at(-1) ?? path;
    return { path, name: NAMES[path] ?? titleOf(last.replaceAll("-", "_")), load: () => fetchText(address) };
  })
  .sort((a, b) => rankOf(a) - rankOf(b) || a.path.localeCompare(b.path));

/** Pages for players come first, then those for people who write bots or organise. */
function rankOf({ path }: Page): number {
  const index = FIRST.indexOf(path);
  return index < 0 ? FIRST.length : index;
}

export const examples: Program[] = Object.entries(programs).map(([file, address]) => {
  const path = file.slice(REPOSITORY.length);
  return { path, name: path.split("/").at(-1) ?? path, address, load: () => fetchText(address) };
});

/** Where a link of a page leads inside the app. */
export function resolveLink(link: string, page: string): string {
  if (/^[a-z]+:|^#|^\//.test(link)) return link;
  const [target = "", hash = ""] = link.split("#");
  const parts = page.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  const picture = pictures[ROOT + path];
  if (picture !== undefined) return picture;
  if (examples.some((candidate) => candidate.path === path)) return `/docs/${path}`;
  const known = pages.some((candidate) => `${candidate.path}.md` === path);
  return known ? `/docs/${path.slice(0, -".md".length)}${hash ? `#${hash}` : ""}` : link;
}
