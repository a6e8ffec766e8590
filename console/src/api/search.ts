/** What the address of a list says: words searched for, and what each filter is set to. */
export type ListSearch<F extends string> = { q?: string | undefined } & {
  [K in F]?: string | undefined;
};

/** Reads the address of a list; whatever is not known falls out. */
export function listSearch<F extends string = never>(
  ...filters: readonly F[]
): (search: Record<string, unknown>) => ListSearch<F> {
  return (search) => {
    const known: readonly string[] = ["q", ...filters];
    const found: ListSearch<F> = {};
    return Object.assign(
      found,
      Object.fromEntries(
        known.map((key) => [key, word(search[key])]).filter(([, value]) => value !== ""),
      ),
    );
  };
}

function word(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
