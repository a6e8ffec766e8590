import { useRef, useState } from "react";
import type { Attached, Upload } from "./client";

/** So many files are on their way at once; the others wait for their turn. */
const AT_ONCE = 3;

/** A file of a question: on its way, there, or with the reason why it is not. */
export type Attaching = {
  key: number;
  file: File;
  /** Part that has arrived, 0 to 1. */
  progress: number;
  attached?: Attached;
  error?: string | undefined;
};

/** Files of the question that is being written. */
export function useAttaching(onUpload: Upload | undefined) {
  const [files, setFiles] = useState<readonly Attaching[]>([]);
  const count = useRef(0);
  const waiting = useRef<(() => void)[]>([]);
  const running = useRef(0);
  const ways = useRef(new Map<number, AbortController>());
  const change = (key: number, more: Partial<Attaching>) =>
    setFiles((old) => old.map((each) => (each.key === key ? { ...each, ...more } : each)));
  function next(): void {
    while (running.current < AT_ONCE) {
      const begin = waiting.current.shift();
      if (!begin) return;
      running.current += 1;
      begin();
    }
  }
  function send(key: number, file: File): void {
    if (!onUpload) return;
    const way = new AbortController();
    ways.current.set(key, way);
    const begin = async () => {
      try {
        const attached = await onUpload(file, {
          signal: way.signal,
          onProgress: (bytes) => change(key, { progress: Math.min(1, bytes / file.size) }),
        });
        change(key, { attached, progress: 1 });
      } catch (error) {
        if (!way.signal.aborted) change(key, { error: messageOf(error) });
      } finally {
        running.current -= 1;
        next();
      }
    };
    waiting.current.push(() => void begin());
    next();
  }
  return {
    files,
    isUploading: files.some((each) => !each.attached && !each.error),
    ready: files.flatMap((each) => (each.attached ? [each.attached] : [])),
    take: (list: Iterable<File>) => {
      for (const file of list) {
        count.current += 1;
        const key = count.current;
        setFiles((old) => [...old, { key, file, progress: 0 }]);
        send(key, file);
      }
    },
    again: ({ key, file }: Attaching) => {
      change(key, { error: undefined, progress: 0 });
      send(key, file);
    },
    remove: ({ key }: Attaching) => {
      ways.current.get(key)?.abort();
      setFiles((old) => old.filter((each) => each.key !== key));
    },
    clear: () => setFiles([]),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
