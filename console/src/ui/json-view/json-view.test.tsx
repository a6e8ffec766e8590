import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { JsonView } from "./json-view";
import { above, firstOpen, jsonHits, jsonRows } from "./rows";

test("unfolded whole, a value has a line for each of its parts, once", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const all = new Set<string>();
      for (let before = -1; before !== all.size; ) {
        before = all.size;
        for (const row of jsonRows(value, all)) if (row.size !== undefined) all.add(row.path);
      }
      const rows = jsonRows(value, all);
      expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length);
      const count = (part: unknown): number =>
        typeof part === "object" && part !== null
          ? Object.values(part).reduce((sum: number, each) => sum + count(each), 1)
          : 1;
      expect(rows.length).toBe(count(value));
    }),
  );
});

test("whatever is found is seen once what lies above it is unfolded", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ minLength: 1, maxLength: 2 }), (value, query) => {
      for (const path of jsonHits(value, query)) {
        const seen = jsonRows(value, new Set(above(path))).map((row) => row.path);
        expect(seen).toContain(path);
      }
    }),
  );
});

test("at first little is unfolded, however much there is", () => {
  const long = { few: [1, 2], many: Array.from({ length: 5000 }, (_, index) => ({ index })) };
  expect(jsonRows(long, firstOpen(long)).length).toBe(5);
});

test("a value folds, and what is searched is counted", async () => {
  const user = userEvent.setup();
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(360);
  const value = { city: "Oslo", rows: Array.from({ length: 12 }, (_, id) => ({ id })) };
  render(<JsonView label="Result" value={value} />);
  expect(screen.getByRole("treeitem", { name: /12 items/, expanded: true })).toBeTruthy();
  await user.type(screen.getByRole("searchbox"), "oslo");
  expect(screen.getByText("1 match")).toBeTruthy();
  await user.click(screen.getByRole("treeitem", { name: /12 items/ }));
  expect(screen.getByRole("treeitem", { name: /12 items/, expanded: false })).toBeTruthy();
});
