import { useEffect, useMemo, useSyncExternalStore } from "react";
import { ApiError } from "./errors";
import type { AdminFile } from "./schema";
import { upload } from "./upload";

const AT_ONCE = 3;
const NOTIFY_MS = 100;

export type Upload = {
  id: string;
  file: File;
  /** With the folders it came in. */
  name: string;
  state: "waiting" | "sending" | "done" | "failed" | "too large";
  sentBytes: number;
  stored?: AdminFile;
  failure?: ApiError;
};

/** Files on their way to the server: three at a time, the others wait. */
class Uploads {
  readonly #workspaceId: string;
  readonly #mostBytes: number;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  #all: readonly Upload[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(workspaceId: string, mostBytes: number) {
    this.#workspaceId = workspaceId;
    this.#mostBytes = mostBytes;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly all = (): readonly Upload[] => this.#all;

  readonly add = (files: readonly { file: File; name: string }[]): void => {
    const added = files.map(
      ({ file, name }): Upload => ({
        id: crypto.randomUUID(),
        file,
        name,
        state: file.size > this.#mostBytes ? "too large" : "waiting",
        sentBytes: 0,
      }),
    );
    this.#set([...this.#all, ...added]);
    this.#next();
  };

  /** Takes a file off; what is under way is broken off. */
  readonly remove = (id: string): void => {
    this.#running.get(id)?.abort();
    this.#set(this.#all.filter((each) => each.id !== id));
  };

  readonly retry = (id: string): void => {
    this.#change(id, { state: "waiting", sentBytes: 0 });
    this.#next();
  };

  readonly stop = (): void => {
    for (const each of this.#running.values()) each.abort();
  };

  #next(): void {
    const free = AT_ONCE - this.#running.size;
    for (const each of this.#all.filter(({ state }) => state === "waiting").slice(0, free))
      void this.#send(each);
  }

  async #send({ id, file, name }: Upload): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#change(id, { state: "sending" });
    try {
      const stored = await upload(file, name, {
        workspaceId: this.#workspaceId,
        key: id,
        signal: controller.signal,
        onProgress: (sentBytes) => this.#change(id, { sentBytes }, true),
      });
      this.#change(id, { state: "done", sentBytes: file.size, stored });
    } catch (error) {
      if (!controller.signal.aborted)
        this.#change(id, { state: "failed", ...(error instanceof ApiError && { failure: error }) });
    } finally {
      this.#running.delete(id);
      this.#next();
    }
  }

  #change(id: string, change: Partial<Upload>, isFleeting = false): void {
    this.#all = this.#all.map((each) => (each.id === id ? { ...each, ...change } : each));
    if (!isFleeting) this.#notify();
    else this.#timer ??= setTimeout(() => this.#notify(), NOTIFY_MS);
  }

  #set(all: readonly Upload[]): void {
    this.#all = all;
    this.#notify();
  }

  #notify(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const listener of this.#listeners) listener();
  }
}

/** The uploads of one screen; leaving it ends those that are under way. */
export function useUploads(workspaceId: string, mostBytes: number) {
  const uploads = useMemo(() => new Uploads(workspaceId, mostBytes), [workspaceId, mostBytes]);
  const all = useSyncExternalStore(uploads.subscribe, uploads.all);
  useEffect(() => uploads.stop, [uploads]);
  return { all, add: uploads.add, remove: uploads.remove, retry: uploads.retry };
}
