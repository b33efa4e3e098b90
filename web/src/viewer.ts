/** One replay in one page: the film is in the page itself. */

import { mount } from "svelte";
import { plural, titled } from "./app/format";
import Watch from "./pages/watch/MatchScreen.svelte";
import { readMarch } from "./viewer/marchFile";
import { FileSource } from "./viewer/frameSource";
import { Theater } from "./viewer/matchViewer.svelte";
import "./ui/tokens.css";

const target = document.getElementById("app");
const film = document.getElementById("film")?.textContent?.trim() ?? "";
if (target === null) throw new Error("The page has no place for the board.");

const bytes = Uint8Array.from(atob(film), (letter) => letter.charCodeAt(0));
const source = new FileSource(readMarch(bytes));
const theater = new Theater();
const subtitle = `${titled(source.legend.game)} · ${plural(source.names.length, "player")} · ${plural(source.last - source.first, "turn")}`;
mount(Watch, { target, props: { theater, title: document.title, subtitle, home: false } });
void theater.openSource(source);
