/** What becomes of a draft: it is checked while one draws, kept, fetched back, and played on. */

import { api, Refusal, sentence } from "../../api/client";
import { titled } from "../../app/format";
import { usualBot } from "../../api/games";
import type { Drawing, GameInfo, MapInfo, MapReport, MapSheet } from "../../api/types";
import { Draft } from "./mapDraft.svelte";
import { blank } from "./shapes";

const PAUSE = 300;

export class Desk {
  readonly draft: Draft;
  info = $state.raw<MapInfo | null>(null);
  name = $state("");
  report = $state.raw<MapReport | null>(null);
  /** Whether the report is of what is on the board now. */
  fresh = $state(false);
  /** What went wrong, or what was done. */
  told = $state<{ words: string; good: boolean } | null>(null);
  busy = $state(false);
  private saved: Drawing | null;
  /** The last step that is saved. */
  private savedStep = $state.raw<object | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(readonly game: GameInfo, sheet: MapSheet | null) {
    const drawing = sheet?.map.drawing ?? blank(game.maps, usualSize(game));
    this.info = sheet?.info ?? null;
    this.name = sheet === null ? "" : sheet.info.kind === "built-in" ? `${sheet.info.name} copy` : sheet.info.name;
    this.draft = new Draft(game.name, game.maps, drawing);
    this.saved = sheet === null ? null : drawing;
    const left = unsaved.get(this.key);
    if (left !== undefined) {
      this.draft.replace(left);
      this.told = { words: "What you had not saved is back. Undo takes it away.", good: true };
    }
  }

  get dirty(): boolean {
    return this.draft.latest !== this.savedStep;
  }

  get kept(): boolean {
    return this.info?.kind === "kept";
  }

  /** Look at the map soon; what is asked meanwhile is asked once. */
  check(): void {
    this.fresh = false;
    if (this.told?.good === false) this.told = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), PAUSE);
  }

  private async look(): Promise<void> {
    const number = ++this.asked;
    try {
      const report = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      if (number !== this.asked) return;
      this.report = report;
      this.fresh = true;
    } catch (reason) {
      if (number === this.asked) this.told = { words: sentence(reason), good: false };
    }
  }

  /** Keep the map: over the one that was opened, or under a new name. */
  async save(anew: boolean): Promise<MapInfo | null> {
    return this.doing(async () => {
      const report = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      this.report = report;
      this.fresh = true;
      const wrong = report.problems.find((problem) => problem.grave !== false);
      if (wrong !== undefined) throw new Refusal("bad_request", `It is not saved: ${wrong.sentence}`, 400);
      const over = this.kept && !anew ? this.info : null;
      const name = this.name.trim();
      if (name === "") throw new Refusal("bad_request", "It is not saved: a map needs a name.", 400);
      const info = over === null ? await api.keepMap(this.game.name, name, report.data) : await api.changeMap(over.id, name, report.data);
      this.forget();
      this.info = info;
      this.saved = this.draft.drawing;
      this.savedStep = this.draft.latest;
      this.told = { words: `${info.name} is saved.`, good: true };
      return info;
    });
  }

  revert(): void {
    if (this.saved !== null) this.draft.replace(this.saved);
    this.savedStep = this.draft.latest;
    this.forget();
    this.told = null;
  }

  /** Remove the map from the server; true if it is gone. */
  async remove(): Promise<boolean> {
    const { info } = this;
    if (info === null) return false;
    const gone = await this.doing(async () => {
      await api.removeMap(info.id);
      return true;
    });
    if (gone === true) this.forget();
    return gone === true;
  }

  /** Put a map file's text in place of the drawing. */
  async read(text: string): Promise<boolean> {
    const read = await this.doing(async () => {
      const report = await api.checkMap(this.game.name, { data: text });
      if (report.drawing === null) throw new Refusal("bad_request", report.problems[0]?.sentence ?? "This is no map.", 400);
      this.draft.replace(report.drawing);
      this.told = { words: "The map is read.", good: true };
      return true;
    });
    return read === true;
  }

  async draw(generator: string, settings: Record<string, number>): Promise<void> {
    await this.doing(async () => {
      const { drawing } = await api.drawMap(this.game.name, generator, settings);
      if (drawing !== null) this.draft.replace(drawing);
    });
  }

  /** A match of the game's own bots on what is drawn. */
  async play(players: number): Promise<string | null> {
    const match = await this.doing(async () => {
      const { data, settings } = await api.checkMap(this.game.name, { drawing: this.draft.drawing });
      const seats = Array.from({ length: players }, () => ({ kind: "builtin" as const, bot: usualBot(this.game) }));
      const name = `${this.name.trim() || titled(this.game.name)}, tried out`.slice(0, 80);
      return api.create({ game: this.game.name, name, seats, map: data, config: settings, clock: { kind: "every", seconds: 1, early: false }, spectator_delay: 0 });
    });
    return match?.id ?? null;
  }

  /** Keep what is not saved until somebody comes back to it. */
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

  private async doing<T>(work: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.told = null;
    try {
      return await work();
    } catch (reason) {
      this.told = { words: sentence(reason), good: false };
      return null;
    } finally {
      this.busy = false;
    }
  }
}

/** Drawings that were left without saving, while the page lives. */
const unsaved = new Map<string, Drawing>();

function usualSize({ maps: { shape, sides } }: GameInfo): { width: number; height: number } {
  const usual = sides[2];
  return shape === "any" ? { width: 0, height: usual } : { width: usual, height: usual };
}
