// @vitest-environment node
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXAMPLES } from "../testing/examples";
import { insert, moveItem, removeItem, removeMember, set } from "./edit";
import { BrokenText, parse } from "./parse";
import { at, type Json, member, toJson } from "./read";
import { type Path, type Value, write, writeText } from "./tree";

const space = fc.constantFrom("", "", " ", "\n", "\n  ", "\r\n\t", "   ");
const number = fc.constantFrom("0", "-0", "1.0", "1e3", "-1.5E-7", "7528041100000000101", "12");
const name = fc.constantFrom("a", "A", "blockID", "blockid", "x y", "é", "__proto__", "", "0");
const string = fc.oneof(
  fc.string().map((each) => JSON.stringify(each)),
  fc.constantFrom('"\\u4e2d\\u6587"', '"\\/"', '"\\ud83d\\ude00"', '"a\\\\"', '"\\""'),
);

/** Texts of JSON in any spelling. */
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom("true", "false", "null")),
    fc
      .tuple(fc.array(fc.tuple(space, tie("text"), space), { maxLength: 4 }), space)
      .map(
        ([items, inner]) => `[${items.length ? items.map((i) => i.join("")).join(",") : inner}]`,
      ),
    fc
      .tuple(
        fc.array(fc.tuple(space, name, space, space, tie("text"), space), { maxLength: 4 }),
        space,
      )
      .map(([all, inner]) => {
        const written = all.map(
          ([a, key, b, c, value, d]) => `${a}${JSON.stringify(key)}${b}:${c}${value}${d}`,
        );
        return `{${written.length ? written.join(",") : inner}}`;
      }),
  ),
}));

function paths(value: Value, from: Path = []): Path[] {
  if (value.kind === "list")
    return [from, ...value.items.flatMap((each, index) => paths(each.value, [...from, index]))];
  if (value.kind === "object")
    return [
      from,
      ...value.members.flatMap((each) =>
        member(value, each.name) === each ? paths(each.value, [...from, each.name]) : [],
      ),
    ];
  return [from];
}

describe("a text", () => {
  test("is written as it was read, to the character", () => {
    fc.assert(
      fc.property(space, jsonText, space, (before, text, after) => {
        expect(writeText(parse(before + text + after))).toBe(before + text + after);
        expect(toJson(parse(text).value)).toEqual(JSON.parse(text));
      }),
      { numRuns: 400 },
    );
  });

  test.each(EXAMPLES)("of $name is written as it was read", ({ text }) => {
    expect(writeText(parse(text))).toBe(text);
  });

  test("that JSON refuses is refused", () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom("", ",", "}", '"', "\\", "\u0001", "x"),
        (text, where, junk) => {
          const place = where % (text.length + 1);
          const broken = text.slice(0, place) + junk + text.slice(place + (junk ? 0 : 1));
          let isJson = true;
          try {
            JSON.parse(broken);
          } catch {
            isJson = false;
          }
          if (isJson) expect(writeText(parse(broken))).toBe(broken);
          else expect(() => parse(broken)).toThrow(BrokenText);
        },
      ),
      { numRuns: 600 },
    );
  });
});

describe("an edit", () => {
  const edits = fc.tuple(
    jsonText,
    fc.nat(),
    fc.oneof(fc.integer(), fc.string(), fc.constant({ n: [1, { m: "x" }] }), fc.constant([])),
  );

  test("changes the place it names and nothing else", () => {
    fc.assert(
      fc.property(edits, ([text, pick, json]) => {
        const { value } = parse(text);
        const places = paths(value);
        const path = places[pick % places.length] ?? [];
        const old = at(value, path);
        const edited = set(value, path, json);
        expect(at(edited, path) && toJson(at(edited, path) ?? edited)).toEqual(json);
        const [one, other] = [write(value), write(edited)];
        const [gone, come] = [write(old ?? value), write(at(edited, path) ?? edited)];
        expect(other.length - one.length).toBe(come.length - gone.length);
        for (const place of places.filter((each) => !isPrefix(each, path) && !isPrefix(path, each)))
          expect(at(edited, place)).toBe(at(value, place));
        expect(toJson(parse(other).value)).toEqual(JSON.parse(other));
      }),
      { numRuns: 400 },
    );
  });

  test("of a list keeps what it does not concern, and says what was meant", () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), fc.nat(), fc.nat(), (text, pick, from, to) => {
        const { value } = parse(text);
        const lists = paths(value).filter((path) => at(value, path)?.kind === "list");
        const path = lists[pick % Math.max(lists.length, 1)];
        if (!path) return;
        const before = [...asList(toJson(at(value, path) ?? value))];
        const place = from % (before.length + 1);
        const added = insert(value, path, place, { new: true });
        expect(asList(parsedAt(added, path))).toEqual(before.toSpliced(place, 0, { new: true }));
        expect(parsedAt(removeItem(added, path, place), path)).toEqual(before);
        if (before.length === 0) return;
        const one = from % before.length;
        const other = to % before.length;
        const moved = moveItem(value, path, one, other);
        const expected = before.toSpliced(one, 1).toSpliced(other, 0, before[one] ?? null);
        expect(parsedAt(moved, path)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test("makes the objects that are missing on the way, and takes members out again", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const { value } = parse(`{"here": ${text}}`);
        const more = set(value, ["missing", "deep", "er"], 1);
        expect(parsedAt(more, ["missing"])).toEqual({ deep: { er: 1 } });
        expect(at(more, ["here"])).toBe(at(value, ["here"]));
        expect(JSON.parse(write(removeMember(more, ["MISSING"])))).toEqual(
          JSON.parse(write(value)),
        );
      }),
    );
  });

  test("lays new text out like its neighbours", () => {
    const text = JSON.stringify({ nodes: [{ id: "1" }], edges: [] }, null, 2);
    const { value } = parse(text);
    const grown = insert(insert(value, ["nodes"], 1, { id: "2", n: [1] }), ["edges"], 0, { a: 1 });
    expect(write(set(grown, ["versions"], {}))).toBe(
      JSON.stringify(
        { nodes: [{ id: "1" }, { id: "2", n: [1] }], edges: [{ a: 1 }], versions: {} },
        null,
        2,
      ),
    );
    const tight = parse('{"nodes":[{"id":"1"}],"edges":[]}').value;
    expect(write(insert(tight, ["nodes"], 1, { id: "2" }))).toBe(
      '{"nodes":[{"id":"1"},{"id":"2"}],"edges":[]}',
    );
  });
});

function isPrefix(one: Path, other: Path): boolean {
  return one.every((key, index) => other[index] === key);
}

function parsedAt(value: Value, path: Path): Json {
  const found = at(parse(write(value)).value, path);
  if (!found) throw new Error(`Nothing at ${path.join(".")}`);
  return toJson(found);
}

function asList(json: Json): readonly Json[] {
  return Array.isArray(json) ? json : [];
}
