/** How long an answer counts that nobody has taken. */
const COUNTS_MS = 5000;

/**
 * What a page opens with, asked for while its screen is still being fetched: begun once, taken
 * once. Later the screens are there, and ask themselves when they are drawn.
 */
export class Ahead<A> {
  private begun: { key: string; at: number; answer: Promise<A> } | undefined;
  private isOver = false;
  private readonly ask: (key: string) => Promise<A>;

  constructor(ask: (key: string) => Promise<A>) {
    this.ask = ask;
  }

  begin(key: string): void {
    if (this.isOver) return;
    this.isOver = true;
    const answer = this.ask(key);
    // Whoever takes it hears of the failure.
    answer.catch(() => undefined);
    this.begun = { key, at: performance.now(), answer };
  }

  take(key: string): Promise<A> {
    const { begun } = this;
    this.begun = undefined;
    this.isOver = true;
    const isWanted = begun?.key === key && performance.now() - begun.at < COUNTS_MS;
    return isWanted ? begun.answer : this.ask(key);
  }
}
