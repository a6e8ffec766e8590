import { addMember, insertValue, removeItem, removeMember, replaced } from "../document/edit";
import { at, memberIndex, textOf } from "../document/read";
import { type Path, type Value, write } from "../document/tree";

/** A place that both sides changed, each in its own way. */
export type Clash = { readonly path: Path; readonly nodeId: string };

export type Merge = { readonly root: Value; readonly clashes: readonly Clash[] };

/**
 * Puts the own changes since `base` onto what somebody else made of it. Members, nodes and edges
 * are compared one by one; where both changed the same the result has that of `keep`.
 */
export function merged(
  base: Value,
  mine: Value,
  theirs: Value,
  keep: "mine" | "theirs" = "mine",
): Merge {
  const clashes: Clash[] = [];
  return { root: new Merger(keep, clashes).value(base, mine, theirs, [], ""), clashes };
}

class Merger {
  private readonly keep: "mine" | "theirs";
  private readonly clashes: Clash[];

  constructor(keep: "mine" | "theirs", clashes: Clash[]) {
    this.keep = keep;
    this.clashes = clashes;
  }

  value(base: Value, mine: Value, theirs: Value, path: Path, nodeId: string): Value {
    if (isEqual(base, mine) || isEqual(mine, theirs)) return theirs;
    if (isEqual(base, theirs)) return mine;
    if (base.kind === "object" && mine.kind === "object" && theirs.kind === "object") {
      return this.object(base, mine, theirs, path, nodeId);
    }
    const isKeyed = KEYED.has(String(path.at(-1)).toLowerCase());
    if (isKeyed && base.kind === "list" && mine.kind === "list" && theirs.kind === "list") {
      return this.list(base, mine, theirs, path);
    }
    this.clashes.push({ path, nodeId });
    return this.keep === "mine" ? mine : theirs;
  }

  private object(base: Value, mine: Value, theirs: Value, path: Path, nodeId: string): Value {
    const names = mine.kind === "object" ? mine.members.map((each) => each.name) : [];
    const gone = base.kind === "object" ? base.members.map((each) => each.name) : [];
    let made = theirs;
    for (const name of new Set([...names, ...gone])) {
      const [b, m, t] = [at(base, [name]), at(mine, [name]), at(theirs, [name])];
      if (isEqual(b, m)) continue;
      if (m && t && b) made = replaced(made, [name], this.value(b, m, t, [...path, name], nodeId));
      else if (m && t) {
        if (isEqual(m, t)) continue;
        this.clashes.push({ path: [...path, name], nodeId });
        if (this.keep === "mine") made = replaced(made, [name], m);
      } else if (m) {
        if (b && !isEqual(b, m)) this.clashes.push({ path: [...path, name], nodeId });
        if (!b || this.keep === "mine") made = addMember(made, [], name, m);
      } else if (t) {
        if (!isEqual(b, t)) this.clashes.push({ path: [...path, name], nodeId });
        if (isEqual(b, t) || this.keep === "mine") made = removeMember(made, [name]);
      }
    }
    return made;
  }

  /** Lists whose items have a name of their own: nodes by id, edges by their ends. */
  private list(base: Value, mine: Value, theirs: Value, path: Path): Value {
    const [b, m] = [keyed(base), keyed(mine)];
    let made = theirs;
    for (const [key, value] of m) {
      const place = keyed(made).get(key);
      const old = b.get(key);
      if (place && old) {
        const node = this.value(old.value, value.value, place.value, [...path, key], key);
        made = replaced(made, [place.index], node);
      } else if (place) {
        if (isEqual(place.value, value.value)) continue;
        this.clashes.push({ path: [...path, key], nodeId: key });
        if (this.keep === "mine") made = replaced(made, [place.index], value.value);
      } else if (!old || !isEqual(old.value, value.value)) {
        if (old) this.clashes.push({ path: [...path, key], nodeId: key });
        if (!old || this.keep === "mine") {
          made = insertValue(made, [], Number.POSITIVE_INFINITY, value.value);
        }
      }
    }
    for (const [key, old] of b) {
      const place = keyed(made).get(key);
      if (m.has(key) || !place) continue;
      const isUntouched = isEqual(old.value, place.value);
      if (!isUntouched) this.clashes.push({ path: [...path, key], nodeId: key });
      if (isUntouched || this.keep === "mine") made = removeItem(made, [], place.index);
    }
    return made;
  }
}

const KEYED = new Set(["nodes", "blocks", "edges"]);

function keyed(list: Value): Map<string, { value: Value; index: number }> {
  const found = new Map<string, { value: Value; index: number }>();
  if (list.kind !== "list") return found;
  for (const [index, { value }] of list.items.entries()) {
    const isEdge = value.kind === "object" && memberIndex(value, "sourceNodeID") >= 0;
    const key = isEdge ? write(value).replace(/\s+/g, "") : textOf(at(value, ["id"]));
    if (!found.has(key)) found.set(key, { value, index });
  }
  return found;
}

function isEqual(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && write(one) === write(other);
}
