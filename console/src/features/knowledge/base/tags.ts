export type Tags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Tags of a document by their names, as they are shown. */
export function spelledTags(tags: Tags): readonly { name: string; value: string }[] {
  return Object.entries(tags).map(([name, value]) => ({ name, value: spelled(value) }));
}

export function spelled(value: Tags[string]): string {
  return typeof value === "object" ? value.join(", ") : String(value);
}
