const listeners: (() => void)[] = [];

/** Calls the youngest listener when the search of a screen is asked for. */
export function onSearchKey(listener: () => void): () => void {
  listeners.push(listener);
  return () => {
    const index = listeners.indexOf(listener);
    if (index >= 0) listeners.splice(index, 1);
  };
}

/** Goes to the search of the screen, if it has one. */
export function askForSearch(): boolean {
  const listener = listeners.at(-1);
  listener?.();
  return listener !== undefined;
}
