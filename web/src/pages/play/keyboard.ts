/** The keyboard of the play page. */

import { ARROWS, keyOf } from "../../board/directions";
import type { BoardController } from "../../board/boardController";
import type { GameWords } from "../../app/sentences";
import type { Cell, Verb } from "../../api/types";
import type { KeyLine } from "../../ui/KeyList.svelte";
import { isComplete, parameterOf } from "./orderDraft";
import type { PlaySession } from "./playSession.svelte";
import { candidates, pieceChoices, subjectsOf } from "./orderMenu";
import { words } from "../../i18n";

const WRITING = "input:not([type=range]):not([type=checkbox]), textarea, select";

/** The keys of this page, for the list of all keys. */
export function keysOf(verbs: readonly Verb[], names: GameWords): KeyLine[] {
  return [
    [["←", "→"], words.play.keyCursor],
    [["PgDn", "PgUp"], words.play.keyMarked],
    [["Enter"], words.play.keyEnter],
    [["Shift Enter"], words.play.keyReady],
    [["Backspace"], words.play.keyBack],
    [["Esc"], words.play.keyCancel],
    [["1", "…", "9"], words.play.keyChoice],
    ...verbs.filter((verb) => verb.key && !verb.role).map((verb): KeyLine => [[verb.key ?? ""], names.name("verbs", verb.do)]),
    [["Alt ↑", "Alt ↓"], words.play.keyMove],
    [[",", "."], words.play.keyTurns],
  ];
}

export class Keyboard {
  /** Whether the cursor was moved since the last pick: Enter then picks instead of sending. */
  private moved = false;
  constructor(
    private readonly play: PlaySession,
    private readonly board: () => BoardController | null,
    private readonly announce: (cell: Cell) => void,
  ) {}

  /** Handle a key; true if it was handled. */
  handleKey(event: KeyboardEvent): boolean {
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") return this.escape(target);
    if (target.matches(WRITING)) return false;
    if (event.key === "Enter" && !event.shiftKey && !this.moved && target.matches("button, a, summary, input")) return false;
    if (event.key in ARROWS && (event.shiftKey || target.matches("input"))) return false;
    return this.press(event);
  }

  private press({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
    if (this.play.builder.isWaiting) {
      this.play.builder.whenLoaded(() => void this.press({ key, shiftKey }));
      return true;
    }
    if (key === "Enter") return shiftKey ? this.ready() : this.enter();
    const step = ARROWS[key];
    if (step !== undefined) return this.walk(() => this.board()?.step(...step));
    if (key === "PageDown" || key === "PageUp") return this.walk(() => this.jump(key === "PageDown" ? 1 : -1));
    if (key === "Backspace") return this.back();
    if (key === "," || key === ".") {
      void this.play.viewer.playback.step(key === "," ? -1 : 1);
      return true;
    }
    return this.choose(key) || this.verb(key);
  }

  private walk(go: () => void): boolean {
    go();
    const cell = this.board()?.hover;
    if (cell != null) {
      this.moved = true;
      this.announce(cell);
    }
    return true;
  }

  /** Move the cursor to the next cell that can be picked. */
  private jump(by: number): void {
    const { play } = this;
    const board = this.board();
    if (board === null || play.builder.scene === null) return;
    const { scene } = play.builder;
    const now = play.builder.draft;
    const cells = now !== null ? candidates(scene, now) : subjectsOf(scene, play.builder.menus ?? {});
    if (cells.length === 0) return;
    const sorted = [...cells].sort(([column, row], [other, below]) => row - below || column - other);
    const at = sorted.findIndex(([column, row]) => column === board.hover?.[0] && row === board.hover[1]);
    const next = sorted[(at + by + sorted.length) % sorted.length] ?? sorted[0];
    if (next !== undefined) board.point(at < 0 && by < 0 ? (sorted.at(-1) ?? next) : at < 0 ? (sorted[0] ?? next) : next);
  }

  private enter(): boolean {
    const { play } = this;
    const cell = this.board()?.hover ?? null;
    const now = play.builder.draft;
    if (now !== null && (isComplete(now) || (now.menu?.pick === "number" && !this.moved))) play.builder.commit();
    else if (this.moved && cell !== null) play.builder.point(cell);
    else if (now?.menu?.pick === "path" && play.builder.path.length > 0) play.builder.commit();
    else if (now === null) void play.outbox.send(false);
    this.moved = false;
    return true;
  }

  private ready(): boolean {
    if (this.play.builder.isOpen) this.play.declareReady();
    return true;
  }

  private back(): boolean {
    if (this.play.builder.draft !== null) this.play.builder.back();
    else this.play.takeBack();
    return true;
  }

  private escape(target: Element): boolean {
    if (target.closest("dialog") !== null) return false;
    const held = this.play.builder.draft !== null || this.play.builder.cell !== null || this.play.builder.shown !== null;
    this.moved = false;
    this.play.builder.cancel();
    if (target instanceof HTMLElement) target.blur();
    return held;
  }

  /** A choice by its number, a direction by the key that lies that way, a digit of a number. */
  private choose(key: string): boolean {
    const now = this.play.builder.draft;
    const { menu } = now ?? {};
    if (now === null || !menu) return false;
    if (menu.pick === "number" && /^[0-9]$/.test(key)) return this.play.builder.typeDigit(key);
    if (menu.pick === "choice") {
      const direction = parameterOf(now)?.pick === "direction";
      const choice = direction ? menu.choices.find((candidate) => keyOf(String(candidate)) === key) : menu.choices[Number(key) - 1];
      if (choice === undefined) return false;
      this.play.builder.choose(choice);
      return true;
    }
    const piece = this.play.builder.scene === null ? undefined : pieceChoices(this.play.builder.scene, menu, this.play.builder.cell, this.play.seat)[Number(key) - 1];
    if (piece === undefined) return false;
    this.play.builder.choose(piece.id);
    return true;
  }

  private verb(key: string): boolean {
    const verb = this.play.builder.verbs.find((candidate) => candidate.key === key && !candidate.role);
    if (verb === undefined) return false;
    this.moved = false;
    this.play.builder.begin(verb);
    return true;
  }
}
