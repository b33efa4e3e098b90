/** A map that is edited: checked while it is drawn, saved, reverted, and tried in a match. */

import { api, Refusal, errorMessage } from "../../api/client";
import { titleOf } from "../../app/format";
import { defaultBot } from "../../api/games";
import type { Drawing, GameInfo, MapDetails, MapInfo, MapReport } from "../../api/types";
import { MapDraft } from "./mapDraft.svelte";
import { blankDrawing } from "./shapes";
import { words } from "../../i18n";

const PAUSE = 300;

export class MapDocument {
  readonly draft: MapDraft;
  info = $state.raw<MapInfo | null>(null);
  name = $state("");
  report = $state.raw<MapReport | null>(null);
  /** Whether the report is of what is on the board now. */
  fresh = $state(false);
  /** The last error, or what was done. */
  message = $state<{ words: string; good: boolean } | null>(null);
  busy = $state(false);
  private saved: Drawing | null;
  /** The last step that is saved. */
  private savedStep = $state.raw<object | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latestCheck = 0;

  constructor(readonly game: GameInfo, details: MapDetails | null) {
    const drawing = details?.map.drawing ?? blankDrawing(game.maps, usualSize(game));
    this.info = details?.info ?? null;
    this.name = details === null ? "" : details.info.kind === "built-in" ? words.mapEditor.copy(details.info.name) : details.info.name;
    this.draft = new MapDraft(game.name, game.maps, drawing);
    this.saved = details === null ? null : drawing;
    const left = unsaved.get(this.key);
    if (left !== undefined) {
      this.draft.replace(left);
      this.message = { words: words.mapEditor.whatYouHadNot, good: true };
    }
  }

  get dirty(): boolean {
    return this.draft.latest !== this.savedStep;
  }

  get isSaved(): boolean {
    return this.info?.kind === "kept";
  }

  /** Check the map soon; checks are debounced. */
  check(): void {
    this.fresh = false;
    if (this.message?.good === false) this.message = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.runCheck(), PAUSE);
  }

  private async runCheck(): Promise<void> {
    const number = ++this.latestCheck;
    try {
      const report = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      if (number !== this.latestCheck) return;
      this.report = report;
      this.fresh = true;
    } catch (reason) {
      if (number === this.latestCheck) this.message = { words: errorMessage(reason), good: false };
    }
  }

  /** Save the map: over the one that was opened, or under a new name. */
  async save(asNew: boolean): Promise<MapInfo | null> {
    return this.run(async () => {
      const report = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      this.report = report;
      this.fresh = true;
      const wrong = report.problems.find((problem) => problem.grave !== false);
      if (wrong !== undefined) throw new Refusal("bad_request", words.mapEditor.itIsNotSaved(wrong.sentence), 400);
      const over = this.isSaved && !asNew ? this.info : null;
      const name = this.name.trim();
      if (name === "") throw new Refusal("bad_request", words.mapEditor.itIsNotSavedA, 400);
      const info = over === null ? await api.saveMap(this.game.name, name, report.data) : await api.changeMap(over.id, name, report.data);
      this.forget();
      this.info = info;
      this.saved = this.draft.drawing;
      this.savedStep = this.draft.latest;
      this.message = { words: words.mapEditor.isSaved(info.name), good: true };
      return info;
    });
  }

  revert(): void {
    if (this.saved !== null) this.draft.replace(this.saved);
    this.savedStep = this.draft.latest;
    this.forget();
    this.message = null;
  }

  /** Remove the map from the server; true if that succeeded. */
  async remove(): Promise<boolean> {
    const { info } = this;
    if (info === null) return false;
    const removed = await this.run(async () => {
      await api.removeMap(info.id);
      return true;
    });
    if (removed === true) this.forget();
    return removed === true;
  }

  /** Replace the drawing by the text of a map file. */
  async read(text: string): Promise<boolean> {
    const read = await this.run(async () => {
      const report = await api.checkMap(this.game.name, { data: text });
      if (report.drawing === null) throw new Refusal("bad_request", report.problems[0]?.sentence ?? words.mapEditor.thisIsNoMap, 400);
      this.draft.replace(report.drawing);
      this.message = { words: words.mapEditor.theMapIsRead, good: true };
      return true;
    });
    return read === true;
  }

  async generate(generator: string, settings: Record<string, number>): Promise<void> {
    await this.run(async () => {
      const { drawing } = await api.generateMap(this.game.name, generator, settings);
      if (drawing !== null) this.draft.replace(drawing);
    });
  }

  /** Start a match of built-in bots on the drawing. */
  async play(players: number): Promise<string | null> {
    const match = await this.run(async () => {
      const { data, settings } = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      const seats = Array.from({ length: players }, () => ({ kind: "builtin" as const, bot: defaultBot(this.game) }));
      const name = words.mapEditor.triedOut(this.name.trim() || titleOf(this.game.name)).slice(0, 80);
      return api.create({ game: this.game.name, name, seats, map: data, config: settings, clock: { kind: "every", seconds: 1, early: false }, spectator_delay: 0 });
    });
    return match?.id ?? null;
  }

  /** Hold unsaved changes in memory until the page is closed. */
  leave(): void {
    clearTimeout(this.timer);
    if (this.dirty) unsaved.set(this.key, this.draft.drawing);
  }

  forget(): void {
    unsaved.delete(this.key);
  }

  private get key(): string {
    return this.info?.id ?? `new ${this.game.name}`;
  }

  private async run<T>(work: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.message = null;
    try {
      return await work();
    } catch (reason) {
      this.message = { words: errorMessage(reason), good: false };
      return null;
    } finally {
      this.busy = false;
    }
  }
}

/** Unsaved drawings, until the page is closed. */
const unsaved = new Map<string, Drawing>();

function usualSize({ maps: { shape, sides } }: GameInfo): { width: number; height: number } {
  const usual = sides[2];
  return shape === "any" ? { width: 0, height: usual } : { width: usual, height: usual };
}
