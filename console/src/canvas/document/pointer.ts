import type { Path } from "./tree";

/** A place of a document as a JSON pointer (RFC 6901). */
export function pointerOf(path: Path): string {
  return path
    .map((each) => `/${String(each).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The place that a JSON pointer leads to; digits are positions in lists. */
export function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((each) =>
      /^\d+$/.test(each) ? Number(each) : each.replaceAll("~1", "/").replaceAll("~0", "~"),
    );
}

/** What is left of a pointer behind a place; nothing where it does not lead into it. */
export function pathWithin(place: Path, pointer: string): Path | undefined {
  const path = pathOf(pointer);
  const isIn =
    path.length > place.length && place.every((each, index) => isSameKey(each, path[index]));
  return isIn ? path.slice(place.length) : undefined;
}

/** Names are found whatever their case, as everywhere in a canvas. */
function isSameKey(one: string | number, other: string | number | undefined): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
