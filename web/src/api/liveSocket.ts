/** A match's WebSocket: reconnects with backoff, and requests only the chunks in view. */

import { words } from "../i18n";
import { refusalText } from "../i18n/refusals";
import { reconnectDelay } from "./backoff";
import { API, freshKey, identity, Refusal } from "./client";
import type { Answer, ClientMessage, Hello, News, ServerMessage } from "./types";

export type Connection = "connecting" | "open" | "lost" | "closed";

/** How many new chunks are requested at once: the answer stays well below 200 kB. */
const CHUNKS_AT_ONCE = 3;
/** How many such requests may wait for their answers; the server drops what a slow reader does not take. */
const UNANSWERED = 4;
/** Close codes after which reconnecting is useless: bad token, not your seat, no such match. */
const FINAL = new Set([4401, 4403, 4404]);

export interface LiveOptions {
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
  /** When the connection was lost, in milliseconds; null while it works. */
  private lostAt: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private wanted: ReadonlySet<number> | null = new Set();
  /** The chunks that were requested of the server; null for all. */
  private subscribed: Set<number> | null = new Set();
  private awaiting = 0;
  private readonly questions = new Map<string, { resolve: (answer: Answer) => void; reject: (why: Error) => void }>();

  constructor(private readonly options: LiveOptions) {
    this.open();
    addEventListener("online", this.retryNow);
  }

  /** Subscribe to these chunks; null for all. */
  see(chunks: ReadonlySet<number> | null): void {
    this.wanted = chunks;
    this.askForChunks();
  }

  /** Post orders or an immediate action. */
  ask(message: { type: "orders"; orders: unknown[]; turn?: number | null; ready?: boolean } | { type: "act"; order: unknown }): Promise<Answer> {
    const key = freshKey();
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Refusal("offline", words.app.lost, 0));
        return;
      }
      this.questions.set(key, { resolve, reject });
      this.send({ ...message, key });
    });
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.retryNow);
    const { socket } = this;
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // closing it now would log an error
    else socket?.close();
    this.dropQuestions();
  }

  private open(): void {
    this.options.connection?.("connecting", "");
    const query = new URLSearchParams({ want: (this.options.want ?? ["frames"]).join(","), chunks: "" });
    if (this.options.seat !== null && this.options.seat !== undefined) query.set("seat", String(this.options.seat));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const token = identity.token;
    const socket = new WebSocket(
      `${scheme}://${location.host}${API}/matches/${this.options.match}/live?${query}`,
      token === null ? ["marchland"] : ["marchland", `bearer.${token}`],
    );
    this.socket = socket;
    this.subscribed = new Set();
    this.awaiting = 0;
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = (event) => this.handleClose(event);
  }

  private receive(message: ServerMessage): void {
    if (this.ended) return;
    switch (message.type) {
      case "hello":
        this.lostAt = null;
        this.options.connection?.("open", "");
        this.options.hello?.(message);
        this.askForChunks();
        break;
      case "news":
        this.options.news?.(message);
        this.awaiting = Math.max(0, this.awaiting - 1);
        this.askForChunks();
        break;
      case "skipped":
        this.options.skipped?.(message.count);
        break;
      case "answer": {
        const question = this.questions.get(message.key);
        this.questions.delete(message.key);
        if (message.error) question?.reject(new Refusal(message.error, refusalText({ code: message.code ?? "", arguments: message.arguments ?? {}, sentence: message.sentence ?? message.error }), 409));
        else question?.resolve(message);
      }
    }
  }

  /** Request a few chunks at a time, the next when earlier ones have come: messages stay small, and the view fills steadily. */
  private askForChunks(): void {
    while (this.awaiting < UNANSWERED && this.socket?.readyState === WebSocket.OPEN) {
      const { wanted, subscribed } = this;
      if (wanted === null) {
        if (subscribed !== null) this.requestChunks(null);
        return;
      }
      const current = subscribed ?? new Set<number>();
      const missing = [...wanted].filter((chunk) => !current.has(chunk));
      const held = [...current].filter((chunk) => wanted.has(chunk));
      if (missing.length === 0 && held.length === current.size && subscribed !== null) return;
      this.requestChunks(new Set([...held, ...missing.slice(0, CHUNKS_AT_ONCE)]));
    }
  }

  private requestChunks(chunks: Set<number> | null): void {
    this.subscribed = chunks;
    this.awaiting++;
    this.send({ type: "see", chunks: chunks === null ? null : [...chunks] });
  }

  private send(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private handleClose(event: CloseEvent): void {
    this.dropQuestions();
    if (this.ended) return;
    if (FINAL.has(event.code)) {
      this.ended = true;
      this.options.connection?.("closed", event.reason);
      return;
    }
    this.options.connection?.("lost", event.reason);
    const now = performance.now();
    this.lostAt ??= now;
    this.timer = setTimeout(() => this.open(), reconnectDelay(now - this.lostAt, Math.random()));
  }

  private readonly retryNow = (): void => {
    if (this.ended || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.lostAt = null;
    this.open();
  };

  private dropQuestions(): void {
    for (const { reject } of this.questions.values())
      reject(new Refusal("offline", words.app.lostBeforeAnswer, 0));
    this.questions.clear();
  }
}
