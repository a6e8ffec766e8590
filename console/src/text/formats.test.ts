// @vitest-environment happy-dom
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { switchLanguage } from "./catalogue";
import { formatBytes, formatCompact, formatNames, formatRelative, plural } from "./formats";

const NOW = 1_795_000_000;
const DAY = 86_400;

beforeEach(() => switchLanguage("en"));

describe("numbers", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_500, "1.5 kB"],
    [48_256, "48 kB"],
    [5_000_000, "5 MB"],
    [7_200_000_000_000_000, "7,200 TB"],
  ])("of %d bytes read as %s", (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });

  test("are short where there is little room", () => {
    expect([formatCompact(131_072), formatCompact(12_345)]).toEqual(["131k", "12.3k"]);
  });

  test("choose the form of their language", async () => {
    const forms = { one: "# file", other: "# files" };
    expect([plural(1, forms), plural(1200, forms)]).toEqual(["1 file", "1,200 files"]);
    await switchLanguage("zh");
    expect(plural(1, forms)).toBe("1 files");
  });

  test("of bytes never read as more than three figures before the terabytes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (bytes) => {
        expect(formatBytes(bytes)).toMatch(/^\d{1,4}(\.\d)? (B|kB|MB|GB|TB)$/);
      }),
    );
  });
});

describe("times", () => {
  test.each([
    [0, "now"],
    [59, "now"],
    [60, "1m ago"],
    [3_600, "1h ago"],
    [26 * 3_600, "yesterday"],
    [6 * DAY, "6d ago"],
  ])("of %d seconds ago read as %s", (past, expected) => {
    expect(formatRelative(NOW - past, NOW, "UTC")).toBe(expected);
  });

  test("older than a week are dates, with the year where it is another", () => {
    expect(formatRelative(NOW - 8 * DAY, NOW, "UTC")).toMatch(/^\w{3} \d{1,2}$/);
    expect(formatRelative(NOW - 400 * DAY, NOW, "UTC")).toMatch(/\d{4}$/);
  });

  test("that lie ahead are dates too", () => {
    expect(formatRelative(NOW + DAY, NOW, "UTC")).toMatch(/\d/);
  });
});

test("names are separated as the language does", async () => {
  expect(formatNames(["a", "b"])).toBe("a, b");
  await switchLanguage("zh");
  expect(formatNames(["a", "b"])).toBe("a、b");
});
