type Words<K extends string> = { [Key in K]?: string | undefined };

/** Reads what an address says by these names; whatever is not known falls out. */
export function wordSearch<K extends string>(
  ...known: readonly K[]
): (search: Record<string, unknown>) => Words<K> {
  return (search) => {
    const found: Words<K> = {};
    return Object.assign(
      found,
      Object.fromEntries(
        known.map((key) => [key, word(search[key])]).filter(([, value]) => value !== ""),
      ),
    );
  };
}

/** What the address of a list says: words searched for, and what each filter is set to. */
export type ListSearch<F extends string> = Words<"q" | F>;

export function listSearch<F extends string = never>(...filters: readonly F[]) {
  return wordSearch<"q" | F>("q", ...filters);
}

function word(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Ids have more digits than a number here holds: they stay the text that they are. */
const ID = /^\d{16,}$/;

/** Reads one value of an address, as `parseSearchWith` and `stringifySearchWith` want it. */
export function searchValue(text: string): unknown {
  if (ID.test(text)) throw new SyntaxError("an id");
  return JSON.parse(text);
}
