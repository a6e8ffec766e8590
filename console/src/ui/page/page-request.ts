type Listener<T> = (asked: T) => void;

/** Something that can be asked for from anywhere on a page; the youngest that offers it answers. */
class PageRequest<T = void> {
  private readonly listeners: Listener<T>[] = [];

  /** Answers from now on, until the returned function is called. */
  on(listener: Listener<T>): () => void {
    this.listeners.push(listener);
    return () => {
      const index = this.listeners.indexOf(listener);
      if (index >= 0) this.listeners.splice(index, 1);
    };
  }

  /** Asks; says whether somebody answered. */
  ask(asked: T): boolean {
    const listener = this.listeners.at(-1);
    listener?.(asked);
    return listener !== undefined;
  }

  /** Whether somebody would answer. */
  get isOffered(): boolean {
    return this.listeners.length > 0;
  }
}

/** The search of the screen. */
export const searchRequest = new PageRequest();
/** Find or do, with what is looked for. */
export const findRequest = new PageRequest<string>();
/** The list of the keys that work. */
export const shortcutsRequest = new PageRequest();
