/** The page that holds one replay: its frames are in the page itself. */

import { mount } from "svelte";
import { titleOf } from "./app/format";
import { readerLanguage } from "./app/language.svelte";
import { words } from "./i18n";
import MatchScreen from "./pages/watch/MatchScreen.svelte";
import { readMarch } from "./viewer/marchFile";
import { FileSource } from "./viewer/frameSource";
import { MatchViewer } from "./viewer/matchViewer.svelte";
import "./ui/tokens.css";

const target = document.getElementById("app");
const film = document.getElementById("film")?.textContent?.trim() ?? "";
if (target === null) throw new Error("The page has no place for the board.");

await readerLanguage.start();
const bytes = Uint8Array.from(atob(film), (letter) => letter.charCodeAt(0));
const source = new FileSource(readMarch(bytes));
const viewer = new MatchViewer();
const subtitle = `${titleOf(source.legend.game)} · ${words.count.player(source.names.length)} · ${words.count.turn(source.last - source.first)}`;
mount(MatchScreen, { target, props: { viewer, title: document.title, subtitle, home: false } });
void viewer.openSource(source);
