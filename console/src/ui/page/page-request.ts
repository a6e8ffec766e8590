type Listener = () => void;

/** Something that can be asked for from anywhere on a page; the youngest that offers it answers. */
class PageRequest {
  private readonly listeners: Listener[] = [];

  /** Answers from now on, until the returned function is called. */
  on(listener: Listener): () => void {
    this.listeners.push(listener);
    return () => {
      const index = this.listeners.indexOf(listener);
      if (index >= 0) this.listeners.splice(index, 1);
    };
  }

  /** Asks; says whether somebody answered. */
  ask(): boolean {
    const listener = this.listeners.at(-1);
    listener?.();
    return listener !== undefined;
  }
}

/** The search of the screen. */
export const searchRequest = new PageRequest();
/** The list of the keys that work. */
export const shortcutsRequest = new PageRequest();
