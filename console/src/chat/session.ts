import { followRun, type RunEvent } from "../stream/run";
import { applied } from "./apply";
import type { Attached, ChatClient, Question, Verdict, Why } from "./client";
import { continued, turnsOf } from "./history";
import type { Chosen } from "./shortcuts";
import { isOver, newTurn, type Turn } from "./turn";

export type ChatState = {
  conversationId: string | undefined;
  turns: readonly Turn[];
  isLoading: boolean;
  /** Where the messages before these begin; nothing where there are none. */
  earlier: string | undefined;
  /** The stream has been away for longer than anybody overlooks. */
  isAway: boolean;
  failure: Error | undefined;
};

const EMPTY: ChatState = {
  conversationId: undefined,
  turns: [],
  isLoading: false,
  earlier: undefined,
  isAway: false,
  failure: undefined,
};

const UNSAID: Why = { reasons: [], comment: "" };

/** A conversation as it goes on: asks, follows runs, and paints what comes once per frame. */
export class ChatSession {
  state: ChatState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private following = new AbortController();
  private queue: { key: string; event: RunEvent }[] = [];
  private frame = 0;
  private count = 0;
  /** What the question that was asked last consists of besides its text. */
  private asked: { files: readonly Attached[]; chosen: Chosen | undefined } = {
    files: [],
    chosen: undefined,
  };
  /** The turn that is to be stopped as soon as its run is known. */
  private stopped = "";
  /** What stands beside new answers to tell later which settings they had. */
  revision: number | undefined;
  private readonly client: ChatClient;

  constructor(client: ChatClient) {
    this.client = client;
  }

  /** What is being written in each conversation; a fresh one has no name yet. */
  private readonly drafts = new Map<string, string>();

  get draft() {
    const key = this.state.conversationId ?? "";
    return {
      id: key,
      text: () => this.drafts.get(key) ?? "",
      keep: (text: string) => {
        if (text) this.drafts.set(key, text);
        else this.drafts.delete(key);
      },
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): ChatState => this.state;

  /** Shows a conversation; its newest run is followed from its first event on. */
  async show(conversationId: string | undefined): Promise<void> {
    if (conversationId !== undefined && conversationId === this.state.conversationId) return;
    this.leave();
    this.publish({ ...EMPTY, conversationId, isLoading: conversationId !== undefined });
    if (conversationId === undefined) return;
    try {
      const { messages, earlier } = await this.client.history(conversationId);
      if (this.state.conversationId !== conversationId) return;
      const turns = turnsOf(messages);
      this.publish({ ...this.state, turns, earlier, isLoading: false });
      const last = turns.at(-1);
      if (last?.runId) void this.relive(last, last.runId);
    } catch (error) {
      if (this.state.conversationId !== conversationId) return;
      this.publish({ ...this.state, isLoading: false, failure: asError(error) });
    }
  }

  private isReading = false;

  /** Shows what was said before what is shown, a page of it. */
  async showEarlier(): Promise<void> {
    const { conversationId, earlier } = this.state;
    if (this.isReading || conversationId === undefined || earlier === undefined) return;
    this.isReading = true;
    try {
      const page = await this.client.history(conversationId, earlier);
      if (this.state.conversationId !== conversationId) return;
      const turns = continued(turnsOf(page.messages), this.state.turns);
      this.publish({ ...this.state, turns, earlier: page.earlier });
    } catch (error) {
      if (this.state.conversationId !== conversationId) return;
      this.publish({ ...this.state, failure: asError(error) });
    } finally {
      this.isReading = false;
    }
  }

  async ask(text: string, files: readonly Attached[] = [], chosen?: Chosen): Promise<void> {
    const turn = newTurn(this.nextKey(), text);
    this.asked = { files, chosen };
    await this.begin(
      { ...turn, question: { messageId: undefined, text, files } },
      { text, files, chosen, conversationId: this.state.conversationId },
      this.state.turns,
    );
  }

  /** Does the last question again, with what has changed since; one that never arrived is sent. */
  async again(): Promise<void> {
    const last = this.state.turns.at(-1);
    if (!last?.question || !isOver(last)) return;
    if (!last.runId) {
      this.publish({ ...this.state, turns: this.state.turns.slice(0, -1) });
      await this.ask(last.question.text, this.asked.files, this.asked.chosen);
      return;
    }
    if (!this.client.repeats) return;
    const turn = { ...newTurn(this.nextKey(), last.question.text), question: last.question };
    const conversationId = this.state.conversationId;
    await this.begin(
      turn,
      { text: "", files: [], conversationId, regenerate: last.runId },
      this.state.turns.slice(0, -1),
    );
  }

  /** Asks an earlier question in other words, in a conversation that ends before it. */
  async edit(turn: Turn, text: string): Promise<void> {
    const { conversationId, turns } = this.state;
    const messageId = turn.question?.messageId;
    if (!conversationId || !messageId || !this.client.fork) return;
    this.leave();
    try {
      const fork = await this.client.fork(conversationId, messageId);
      const kept = turns.slice(
        0,
        turns.findIndex((each) => each.key === turn.key),
      );
      this.publish({ ...EMPTY, conversationId: fork, turns: kept });
      await this.ask(text);
    } catch (error) {
      this.publish({ ...this.state, failure: asError(error) });
    }
  }

  async stop(): Promise<void> {
    const last = this.state.turns.at(-1);
    if (!last || isOver(last)) return;
    if (last.runId) await this.client.cancel(last.runId).catch(() => undefined);
    else this.stopped = last.key;
  }

  /** Hands in what a run waits for; it goes on where it stopped. */
  async submit(turn: Turn, outputs: readonly { id: string; output: string }[]): Promise<void> {
    if (!turn.runId) return;
    const after = this.seen.get(turn.runId) ?? 0;
    await this.client.submit(turn.runId, outputs);
    this.change(turn.key, (old) => ({ ...old, state: "running", waiting: undefined }));
    void this.follow(turn.key, turn.runId, after);
  }

  async rate(turn: Turn, verdict: Verdict | undefined, why: Why = UNSAID): Promise<void> {
    const { conversationId } = this.state;
    if (!conversationId || !turn.answerId || !this.client.rate) return;
    const before = turn.verdict;
    this.change(turn.key, (old) => ({ ...old, verdict }));
    try {
      await this.client.rate(conversationId, turn.answerId, verdict, why);
    } catch {
      this.change(turn.key, (old) => ({ ...old, verdict: before }));
    }
  }

  /** What this surface offers beyond asking. */
  get offers() {
    const { fork, rate, upload, repeats } = this.client;
    return { edit: fork !== undefined, rate: rate !== undefined, upload, again: repeats };
  }

  /** Ends the subscription; the run goes on. */
  leave(): void {
    this.following.abort();
    this.following = new AbortController();
    this.queue = [];
  }

  private readonly seen = new Map<string, number>();

  private async begin(turn: Turn, question: Question, before: readonly Turn[]): Promise<void> {
    const fresh: Turn = { ...turn, at: Date.now() / 1000, revision: this.revision };
    this.publish({ ...this.state, turns: [...before, fresh], failure: undefined });
    try {
      const { runId, conversationId, messageId } = await this.client.ask(question);
      if (this.stopped === fresh.key) void this.client.cancel(runId).catch(() => undefined);
      if (!this.state.turns.some(({ key }) => key === fresh.key)) return;
      if (this.state.conversationId === undefined) this.name(conversationId);
      this.publish({ ...this.state, conversationId });
      this.change(fresh.key, (old) => ({
        ...old,
        runId,
        question: old.question && { ...old.question, messageId },
      }));
      void this.follow(fresh.key, runId, 0);
    } catch (error) {
      const { message } = asError(error);
      this.change(fresh.key, (old) => ({
        ...old,
        state: "failed",
        failed: { code: 0, message },
      }));
      this.publish({ ...this.state, failure: asError(error) });
    }
  }

  /** What is being written in a fresh conversation stays in it once it has a name. */
  private name(conversationId: string): void {
    const text = this.drafts.get("");
    this.drafts.delete("");
    if (text) this.drafts.set(conversationId, text);
  }

  /** Tells a run from its beginning again, in the place of what is stored of it. */
  private async relive(stored: Turn, runId: string): Promise<void> {
    const bare: Turn = {
      ...newTurn(stored.key, ""),
      question: stored.question,
      runId,
      answerId: stored.answerId,
      verdict: stored.verdict,
      at: stored.at,
    };
    let isFirst = true;
    await this.follow(stored.key, runId, 0, () => {
      if (isFirst) this.change(stored.key, () => bare);
      isFirst = false;
    });
  }

  private async follow(
    key: string,
    runId: string,
    after: number,
    onEvent?: () => void,
  ): Promise<void> {
    const { signal } = this.following;
    const { client } = this;
    try {
      const events = followRun({
        open: client.open(runId),
        after,
        signal,
        isFinal: client.isFinal,
        onAway: (isAway) => signal.aborted || this.publish({ ...this.state, isAway }),
      });
      for await (const event of events) {
        onEvent?.();
        this.seen.set(runId, event.seq);
        this.enqueue(key, client.told?.(event) ?? event);
      }
    } catch {
      if (signal.aborted) return;
      this.paint();
      this.change(key, (turn) => (isOver(turn) ? turn : { ...turn, state: "completed" }));
    }
  }

  private enqueue(key: string, event: RunEvent): void {
    this.queue.push({ key, event });
    if (this.frame) return;
    this.frame = document.hidden
      ? window.setTimeout(() => this.paint(), 100)
      : requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.frame = 0;
    const waiting = this.queue;
    this.queue = [];
    if (waiting.length === 0) return;
    const keys = new Set(waiting.map(({ key }) => key));
    const turns = this.state.turns.map((turn) =>
      keys.has(turn.key)
        ? waiting.reduce(
            (now, { key, event }) => (key === turn.key ? applied(now, event) : now),
            turn,
          )
        : turn,
    );
    this.publish({ ...this.state, turns });
  }

  private change(key: string, change: (turn: Turn) => Turn): void {
    const turns = this.state.turns.map((turn) => (turn.key === key ? change(turn) : turn));
    this.publish({ ...this.state, turns });
  }

  private publish(state: ChatState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private nextKey(): string {
    this.count += 1;
    return `new ${this.count}`;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
