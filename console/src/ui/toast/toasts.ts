type Notice = { title: string; action?: { label: string; run: () => void } };

const waiting: Notice[] = [];
const listeners = new Set<() => void>();

/** Says that something happened; errors that need an answer are said where they belong. */
export function toast(title: string, action?: Notice["action"]): void {
  waiting.push({ title, ...(action ? { action } : {}) });
  for (const listener of listeners) listener();
}

/** Takes what waits to be shown. */
export function takeNotices(): Notice[] {
  return waiting.splice(0);
}

export function onNotice(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
