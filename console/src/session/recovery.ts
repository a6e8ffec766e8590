import { useCallback, useEffect, useState } from "react";

const TYPES = ["agent", "workflow", "prompt"] as const;

/** What an editor holds changes of: whose, and of which thing. */
export type Place = {
  readonly userId: string;
  readonly type: (typeof TYPES)[number];
  readonly id: string;
};

/** Changes that an editor left behind when its page ended. */
export type Kept<T> = { readonly editor: string; readonly at: number; readonly changes: T };

/** What the id of something begins with that is not made yet. */
export const NEW = "new ";

/** What stands for the id of a thing of a workspace before it is made. */
export function newIn(workspaceId: string): string {
  return NEW + workspaceId;
}

/** What an editor that is gone has left of one thing. */
export type Left = { readonly place: Place; readonly kept: Kept<unknown> };

const DATABASE = "coterie-recovery";
/** Counted up with the shape of what is kept: the other shapes are dropped unread. */
const FORMAT = 1;
const STORE = "changes";
/** While somebody types, this often at most. */
const REST_MS = 300;

let opening: Promise<IDBDatabase> | undefined;
let isOver = false;

/**
 * Changes of one editor that the server has not acknowledged, kept by this browser over a crash.
 * Where it keeps nothing, because storage is full or switched off, the editor goes on without.
 */
export class Recovery<T> {
  private readonly editor = crypto.randomUUID();
  private readonly place: Place;
  private readonly key: readonly string[];
  private changes: (() => T) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isWritten = false;
  private release: (() => void) | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(place: Place) {
    this.place = place;
    this.key = [place.userId, place.type, place.id, this.editor];
  }

  /** Keeps what the changes are a moment later. */
  keep(changes: () => T): void {
    if (isOver) return;
    this.changes = changes;
    this.timer ??= setTimeout(() => this.write(), REST_MS);
  }

  /** The server has them all. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isWritten) return;
    this.isWritten = false;
    this.inTurn(() => inStore("readwrite", (store) => store.delete([...this.key])));
  }

  /** The editor is gone: what it has kept is offered to the next one. */
  close(): void {
    this.inTurn(async () => {
      this.release?.();
      this.release = undefined;
    });
  }

  /** What the newest of the editors that are gone has left. */
  async found(): Promise<Kept<T> | undefined> {
    const { userId, type, id } = this.place;
    // Lists sort behind all texts.
    const range = IDBKeyRange.bound([userId, type, id], [userId, type, id, []]);
    const all = await inStore<Kept<T>[]>("readonly", (store) => store.getAll(range));
    if (!all || all.length === 0) return undefined;
    const open = await openEditors();
    return all.filter(({ editor }) => !open.has(editor)).toSorted((a, b) => b.at - a.at)[0];
  }

  async forget(kept: Kept<T>): Promise<void> {
    await forgetLeft({ place: this.place, kept });
  }

  private write(): void {
    this.timer = undefined;
    const changes = this.changes?.();
    if (changes === undefined) return;
    this.isWritten = true;
    const kept: Kept<T> = { editor: this.editor, at: Date.now(), changes };
    this.inTurn(async () => {
      await this.hold();
      await inStore("readwrite", (store) => store.put(kept, [...this.key]));
    });
  }

  /** Says to all tabs that this editor lives, in a way that ends with its page. */
  private async hold(): Promise<void> {
    if (this.release || !("locks" in navigator)) return;
    await new Promise<void>((held) => {
      navigator.locks
        .request(lockOf(this.editor), () => {
          return new Promise<void>((release) => {
            this.release = release;
            held();
          });
        })
        .catch(() => held());
    });
  }

  private inTurn(act: () => Promise<unknown>): void {
    this.last = this.last.then(act, act);
  }
}

/** What an editor that is gone has left, and what is done about it. */
export function useKept<T>(
  recovery: Recovery<T>,
  isWanted: boolean,
  isNew: (changes: T) => boolean,
): { kept: Kept<T> | undefined; settle: () => void; putOff: () => void } {
  const [kept, setKept] = useState<Kept<T>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, of what is there then
  useEffect(() => {
    let isHere = true;
    if (isWanted)
      void recovery.found().then((found) => {
        if (!found || !isHere) return;
        // The server had it, and its answer did not arrive.
        if (!isNew(found.changes)) void recovery.forget(found);
        else setKept(found);
      });
    return () => {
      isHere = false;
    };
  }, [recovery, isWanted]);
  const putOff = useCallback(() => setKept(undefined), []);
  const settle = useCallback(() => {
    if (kept) void recovery.forget(kept);
    setKept(undefined);
  }, [recovery, kept]);
  return { kept, settle, putOff };
}

/** What editors that are gone have left of a person: the newest of each thing, newest first. */
export async function leftBy(userId: string): Promise<readonly Left[]> {
  // Lists sort behind all texts.
  const range = IDBKeyRange.bound([userId], [userId, []]);
  const [keys = [], all = [], open] = await Promise.all([
    inStore<IDBValidKey[]>("readonly", (store) => store.getAllKeys(range)),
    inStore<Kept<unknown>[]>("readonly", (store) => store.getAll(range)),
    openEditors(),
  ]);
  const byEditor = new Map(all.map((kept) => [kept.editor, kept]));
  const newest = new Map<string, Left>();
  for (const key of keys) {
    const [, typed, id = "", editor = ""] = Array.isArray(key) ? key.map(String) : [];
    const type = TYPES.find((each) => each === typed);
    const kept = byEditor.get(editor);
    if (!type || !kept || open.has(editor)) continue;
    const other = newest.get(`${type} ${id}`);
    if (!other || other.kept.at < kept.at)
      newest.set(`${type} ${id}`, { place: { userId, type, id }, kept });
  }
  return [...newest.values()].toSorted((a, b) => b.kept.at - a.kept.at);
}

export async function forgetLeft(left: Left): Promise<void> {
  await inStore("readwrite", (store) => store.delete(keyOf(left)));
}

/** Takes back that it was forgotten. */
export async function putBack(left: Left): Promise<void> {
  await inStore("readwrite", (store) => store.put(left.kept, keyOf(left)));
}

function keyOf({ place, kept }: Left): string[] {
  return [place.userId, place.type, place.id, kept.editor];
}

/** Forgets what is kept for anybody. */
export async function forgetRecovery(): Promise<void> {
  await inStore("readwrite", (store) => store.clear());
}

/** The same at the end of a session: what is on the page is not kept any more. */
export async function endRecovery(): Promise<void> {
  isOver = true;
  await forgetRecovery();
}

function lockOf(editor: string): string {
  return `${DATABASE}.${editor}`;
}

/** Editors of all tabs that have kept something; pages over plain HTTP cannot know. */
async function openEditors(): Promise<ReadonlySet<string>> {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name = "" }) => name.slice(lockOf("").length)));
}

async function inStore<R>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<R>,
): Promise<R | undefined> {
  try {
    const transaction = (await opened()).transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result;
  } catch {
    return undefined; // full, switched off, or taken away
  }
}

function opened(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, FORMAT);
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const name of result.objectStoreNames) result.deleteObjectStore(name);
      result.createObjectStore(STORE);
    };
    request.onsuccess = () => {
      const { result } = request;
      // Another tab has a newer console, or somebody clears what the site has stored.
      result.onversionchange = () => {
        result.close();
        opening = undefined;
      };
      resolve(result);
    };
    request.onerror = () => reject(request.error);
  });
  return opening;
}
