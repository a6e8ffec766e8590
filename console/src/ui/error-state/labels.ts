/** What a form calls its fields, by their names on the wire. */
export type Labels = Readonly<Record<string, string>>;

/** A line that says something of a field: its path, as programs call it. */
const HEAD = /^([a-z_][a-z0-9_]*(?:\[\d+\]|\.[A-Za-z_]\w*)*)(: |：)([\s\S]+)$/;

type Head = { readonly path: string; readonly colon: string; readonly rest: string };

/** Takes a sentence apart from the field that it is about; without one the path is empty. */
export function headOf(line: string): Head {
  const [, path = "", colon = "", rest = line] = HEAD.exec(line) ?? [];
  return { path, colon, rest };
}

/** The label of the field that a path leads to or into, and what of the path lies inside of it. */
export function labelOf(path: string, labels: Labels): { label: string; inner: string } {
  for (let end = path.length; end > 0; end = lastStep(path, end)) {
    const name = path.slice(0, end);
    if (Object.hasOwn(labels, name)) {
      return { label: labels[name] ?? "", inner: path.slice(end).replace(/^\./, "") };
    }
  }
  return { label: "", inner: path };
}

/** Where the last step of a path begins: `.name` or `[2]`; the whole has none. */
function lastStep(path: string, end: number): number {
  const before = path.slice(0, end);
  return Math.max(before.lastIndexOf("."), before.lastIndexOf("["), 0);
}
