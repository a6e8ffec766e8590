/** What a browser keeps of a visitor: the key to come back with, and the conversation shown last. */
export type Values = { key?: string; conversation?: string };

/** Storage of the page; where that is blocked in frames, the site around keeps it. */
export class Kept {
  values: Values = {};
  isBlocked = false;
  /** Told what to keep elsewhere. */
  onBlocked: (values: Values) => void = () => undefined;
  private readonly name: string;

  constructor(code: string) {
    this.name = `coterie:${code}`;
    try {
      this.values = JSON.parse(localStorage.getItem(this.name) ?? "null") ?? {};
    } catch {
      this.isBlocked = true;
    }
  }

  /** Takes over what the site around has kept. */
  adopt(values: Values): void {
    if (this.isBlocked) this.values = { ...values };
  }

  set(changes: Values): void {
    this.values = { ...this.values, ...changes };
    try {
      localStorage.setItem(this.name, JSON.stringify(this.values));
    } catch {
      this.isBlocked = true;
    }
    if (this.isBlocked) this.onBlocked(this.values);
  }
}
