/** A match's WebSocket: it comes back by itself, and asks only for the chunks that somebody looks at. */

import { API, freshKey, identity, Refusal } from "./client";
import type { Answer, ClientMessage, Hello, News, ServerMessage } from "./types";

export type Connection = "connecting" | "open" | "lost" | "closed";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
/** How many new chunks are asked for at once: what then comes stays well below 200 kB. */
const CHUNKS_AT_ONCE = 3;
/** How many such questions may wait for their answers; the server drops what a slow reader leaves lying. */
const UNANSWERED = 4;
/** Codes after which coming back is of no use: bad token, not your seat, no such match. */
const FINAL = new Set([4401, 4403, 4404]);

export interface LiveWish {
  match: string;
  seat?: number | null;
  /** Any of `frames`, `views`, `results`. */
  want?: readonly string[];
  hello?: (hello: Hello) => void;
  news?: (news: News) => void;
  skipped?: (count: number) => void;
  connection?: (state: Connection, why: string) => void;
}

export class LiveSocket {
  private socket: WebSocket | null = null;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private seen: ReadonlySet<number> | null = new Set();
  /** The chunks that the server knows we want; null for all of them. */
  private asked: Set<number> | null = new Set();
  private awaiting = 0;
  private readonly questions = new Map<string, { resolve: (answer: Answer) => void; reject: (why: Error) => void }>();

  constructor(private readonly wish: LiveWish) {
    this.open();
    addEventListener("online", this.retryNow);
  }

  /** From now on these chunks are looked at; null for all of them. */
  see(chunks: ReadonlySet<number> | null): void {
    this.seen = chunks;
    this.askForChunks();
  }

  /** Post orders or an immediate action; the answer says what became of it. */
  ask(message: { type: "orders"; orders: unknown[]; turn?: number | null; ready?: boolean } | { type: "act"; order: unknown }): Promise<Answer> {
    const key = freshKey();
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Refusal("offline", "The connection is lost; it comes back by itself.", 0));
        return;
      }
      this.questions.set(key, { resolve, reject });
      this.tell({ ...message, key });
    });
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.retryNow);
    const { socket } = this;
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // browsers complain about less
    else socket?.close();
    this.dropQuestions();
  }

  private open(): void {
    this.wish.connection?.("connecting", "");
    const query = new URLSearchParams({ want: (this.wish.want ?? ["frames"]).join(","), chunks: "" });
    if (this.wish.seat !== null && this.wish.seat !== undefined) query.set("seat", String(this.wish.seat));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const token = identity.token;
    const socket = new WebSocket(
      `${scheme}://${location.host}${API}/matches/${this.wish.match}/live?${query}`,
      token === null ? ["marchland"] : ["marchland", `bearer.${token}`],
    );
    this.socket = socket;
    this.asked = new Set();
    this.awaiting = 0;
    socket.onmessage = (event: MessageEvent<string>) => this.take(JSON.parse(event.data) as ServerMessage);
    socket.onclose = (event) => this.lost(event);
  }

  private take(message: ServerMessage): void {
    if (this.ended) return;
    switch (message.type) {
      case "hello":
        this.pause = FIRST_PAUSE;
        this.wish.connection?.("open", "");
        this.wish.hello?.(message);
        this.askForChunks();
        break;
      case "news":
        this.wish.news?.(message);
        this.awaiting = Math.max(0, this.awaiting - 1);
        this.askForChunks();
        break;
      case "skipped":
        this.wish.skipped?.(message.count);
        break;
      case "answer": {
        const question = this.questions.get(message.key);
        this.questions.delete(message.key);
        if (message.error) question?.reject(new Refusal(message.error, message.sentence ?? message.error, 409));
        else question?.resolve(message);
      }
    }
  }

  /** Few new chunks at a time, the next when earlier ones have come: no message is large, and the view fills steadily. */
  private askForChunks(): void {
    while (this.awaiting < UNANSWERED && this.socket?.readyState === WebSocket.OPEN) {
      const { seen, asked } = this;
      if (seen === null) {
        if (asked !== null) this.tellChunks(null);
        return;
      }
      const had = asked ?? new Set<number>();
      const missing = [...seen].filter((chunk) => !had.has(chunk));
      const kept = [...had].filter((chunk) => seen.has(chunk));
      if (missing.length === 0 && kept.length === had.size && asked !== null) return;
      this.tellChunks(new Set([...kept, ...missing.slice(0, CHUNKS_AT_ONCE)]));
    }
  }

  private tellChunks(chunks: Set<number> | null): void {
    this.asked = chunks;
    this.awaiting++;
    this.tell({ type: "see", chunks: chunks === null ? null : [...chunks] });
  }

  private tell(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private lost(event: CloseEvent): void {
    this.dropQuestions();
    if (this.ended) return;
    if (FINAL.has(event.code)) {
      this.ended = true;
      this.wish.connection?.("closed", event.reason);
      return;
    }
    this.wish.connection?.("lost", event.reason);
    this.timer = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  private readonly retryNow = (): void => {
    if (this.ended || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.pause = FIRST_PAUSE;
    this.open();
  };

  private dropQuestions(): void {
    for (const { reject } of this.questions.values())
      reject(new Refusal("offline", "The connection was lost before the answer came.", 0));
    this.questions.clear();
  }
}
