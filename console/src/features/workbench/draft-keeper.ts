import type { ApiError } from "../../api/errors";
import { asApiError } from "../../api/queries";
import type { AdminAgent } from "../../api/schema";
import {
  type Conflict,
  conflictsOf,
  type Edits,
  isEmpty,
  merged,
  shown,
  type Unsaved,
  without,
} from "./edits";

export type SaveState = "saved" | "unsaved" | "saving" | "retrying" | "refused" | "conflict";

export type DraftState = {
  agent: AdminAgent;
  draft: ReturnType<typeof shown>;
  state: SaveState;
  conflicts: readonly Conflict[];
  failure: ApiError | undefined;
  /** How often something was edited; tells answers before a change from those after. */
  edition: number;
};

type Server = {
  save: (body: Edits, revision: number) => Promise<AdminAgent>;
  load: () => Promise<AdminAgent>;
};

/** Where what is not acknowledged outlives the page. */
type Backup = { keep: (unsaved: () => Unsaved) => void; drop: () => void };

const REST_MS = 600;
const LONGEST_MS = 5000;
const RETRY_MS = 4000;
const STALE = 4106;

/** The local draft: what the server has, what was changed since, and when that is saved. */
export class DraftKeeper {
  current: DraftState;
  private edits: Edits = {};
  private sending: Edits = {};
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private oldest = 0;
  /** The latest revision that somebody is known to have made. */
  private heard = 0;
  private readonly listeners = new Set<() => void>();
  private readonly server: Server;
  private readonly backup: Backup;

  constructor(agent: AdminAgent, server: Server, backup: Backup) {
    this.server = server;
    this.backup = backup;
    this.current = {
      agent,
      draft: shown(agent, {}),
      state: "saved",
      conflicts: [],
      failure: undefined,
      edition: 0,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): DraftState => this.current;

  edit(change: Edits): void {
    if (isEmpty(this.edits)) this.oldest = Date.now();
    this.edits = merged(this.edits, change);
    const { state, edition } = this.current;
    const next = state === "conflict" || state === "saving" ? state : "unsaved";
    this.publish({ state: next, edition: edition + 1, failure: undefined });
    const left = this.oldest + LONGEST_MS - Date.now();
    this.schedule(Math.max(0, Math.min(REST_MS, left)));
  }

  /** Saves what there is, now. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isSending || this.current.state === "conflict" || isEmpty(this.edits)) return;
    this.sending = this.edits;
    this.edits = {};
    this.isSending = true;
    this.publish({ state: "saving" });
    try {
      const agent = await this.server.save(this.sending, this.current.agent.revision);
      this.sending = {};
      this.publish({ agent, state: isEmpty(this.edits) ? "saved" : "unsaved" });
    } catch (error) {
      this.edits = merged(this.sending, this.edits);
      this.sending = {};
      await this.refused(asApiError(error));
    } finally {
      this.isSending = false;
    }
    if (this.current.state === "unsaved") this.schedule(0);
    if (this.heard > this.current.agent.revision) await this.refresh(this.heard);
  }

  /**
   * Takes in what somebody else saved, up to a revision if one is known. Where there are edits they
   * wait for that: saved upon an older revision, they meet it anyway.
   */
  async refresh(revision?: number): Promise<void> {
    this.heard = Math.max(this.heard, revision ?? 0);
    if (this.isDirty || (revision !== undefined && revision <= this.current.agent.revision)) return;
    try {
      const theirs = await this.server.load();
      if (!this.isDirty && theirs.revision > this.current.agent.revision) this.take(theirs);
    } catch (error) {
      const failure = asApiError(error);
      if (failure?.status === 404) this.publish({ state: "refused", failure });
    }
  }

  /** Goes on after a conflict: what is theirs is dropped here, the rest is saved over it. */
  resolve(theirs: ReadonlySet<string>): void {
    for (const path of theirs) this.edits = without(this.edits, path);
    this.publish({ state: isEmpty(this.edits) ? "saved" : "unsaved", conflicts: [] });
    this.schedule(0);
  }

  /** Takes over what an earlier page could not save; what was typed since then stays on top. */
  restore({ base, edits }: Unsaved): void {
    this.edits = merged(edits, this.edits);
    const conflicts = conflictsOf(base, this.current.agent, this.edits);
    const state = conflicts.length > 0 ? "conflict" : "unsaved";
    this.publish({ state, conflicts, edition: this.current.edition + 1, failure: undefined });
    this.schedule(0);
  }

  /** Another state of the server, for instance after publishing. */
  take(agent: AdminAgent): void {
    this.publish({ agent });
  }

  get isDirty(): boolean {
    return this.isSending || !isEmpty(this.edits);
  }

  private async refused(error: ApiError | undefined): Promise<void> {
    if (error?.code === STALE) return this.meet();
    if (error && error.status >= 400 && error.status < 500 && !error.isPassing) {
      this.publish({ state: "refused", failure: error });
      return;
    }
    this.publish({ state: "retrying", failure: error });
    this.schedule(RETRY_MS);
  }

  /** Somebody else saved meanwhile: their changes come in, and ours go on top where they can. */
  private async meet(): Promise<void> {
    try {
      const theirs = await this.server.load();
      const conflicts = conflictsOf(this.current.agent, theirs, this.edits);
      const state = conflicts.length > 0 ? "conflict" : "unsaved";
      this.publish({ agent: theirs, conflicts, state });
    } catch (error) {
      this.publish({ state: "retrying", failure: asApiError(error) });
      this.schedule(RETRY_MS);
    }
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), ms);
  }

  private publish(change: Partial<DraftState>): void {
    const next = { ...this.current, ...change };
    const unsaved = merged(this.sending, this.edits);
    this.current = { ...next, draft: shown(next.agent, unsaved) };
    if (isEmpty(unsaved)) this.backup.drop();
    // Until the person has chosen, they are changes of what they were made on.
    else if (next.state !== "conflict") {
      this.backup.keep(() => ({ base: next.agent, edits: unsaved }));
    }
    for (const listener of this.listeners) listener();
  }
}
