/** Pages of lists, and all their items one after the other. */

/** Some items of a list; iterating goes through all items of all pages that follow. */
export class Page<T> implements AsyncIterable<T> {
  constructor(
    readonly items: readonly T[],
    readonly next: (() => Promise<Page<T>>) | undefined,
  ) {}

  get hasNext(): boolean {
    return this.next !== undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> | undefined = this;
    while (page) {
      yield* page.items;
      page = await page.next?.();
    }
  }
}

/** Count the items up to the end of a page, those of the pages before it as if as long. */
export function passed(at: number | undefined, before: number | undefined, items: readonly unknown[]): number {
  return (before ?? ((at ?? 1) - 1) * items.length) + items.length;
}
