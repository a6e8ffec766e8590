/** A line of a shown value: what it stands under, what it is, how deep it lies. */
export type JsonRow = {
  /** JSON Pointer (RFC 6901) of the value. */
  path: string;
  /** Name in its object, or place in its list; absent at the root. */
  name: string | undefined;
  value: unknown;
  depth: number;
  /** How many it holds; absent where it holds none by kind. */
  size: number | undefined;
  isOpen: boolean;
};

/** Most members of one value that are shown at once, so that a long list stays quick to open. */
const MOST_MEMBERS = 10_000;
const MOST_HITS = 1000;

/** The lines of a value as it is unfolded now. */
export function jsonRows(root: unknown, open: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  const visit = (value: unknown, path: string, name: string | undefined, depth: number): void => {
    const members = membersOf(value);
    const isOpen = members !== undefined && open.has(path);
    rows.push({ path, name, value, depth, size: members?.length, isOpen });
    if (!members || !isOpen) return;
    for (const [key, member] of members.slice(0, MOST_MEMBERS)) {
      visit(member, pointer(path, key), key, depth + 1);
    }
  };
  visit(root, "", undefined, 0);
  return rows;
}

/** What is unfolded at first: few levels, and nothing that would fill the screen by itself. */
export function firstOpen(root: unknown, levels = 2, most = 50): Set<string> {
  const open = new Set<string>();
  const visit = (value: unknown, path: string, depth: number): void => {
    const members = membersOf(value);
    if (!members || depth >= levels || (depth > 0 && members.length > most)) return;
    open.add(path);
    for (const [key, member] of members.slice(0, most))
      visit(member, pointer(path, key), depth + 1);
  };
  visit(root, "", 0);
  return open;
}

/** Where a name or a simple value holds the searched text, in the order of the lines. */
export function jsonHits(root: unknown, query: string): string[] {
  const hits: string[] = [];
  const wanted = query.toLowerCase();
  const visit = (value: unknown, path: string, name: string): void => {
    if (hits.length >= MOST_HITS) return;
    const members = membersOf(value);
    const own = members ? "" : String(value);
    if (name.toLowerCase().includes(wanted) || own.toLowerCase().includes(wanted)) hits.push(path);
    for (const [key, member] of members ?? []) visit(member, pointer(path, key), key);
  };
  if (wanted) visit(root, "", "");
  return hits;
}

/** The values that have to be unfolded for a path to be seen. */
export function above(path: string): string[] {
  const steps = path.split("/");
  return steps.slice(0, -1).map((_, index) => steps.slice(0, index + 1).join("/"));
}

function membersOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
