import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { gridColumns } from "./arrangement";
import { CellEditor } from "./cell-editor";
import type { GridColumn } from "./data-grid";

const CHOICES = [
  { value: "", label: "Empty" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const PAID = { key: "paid", label: "paid", choices: CHOICES };
const DAY = { key: "day", label: "day", isDate: true };

function drawn(column: GridColumn, text: string, isTyped = false) {
  const onChange = vi.fn();
  render(
    <CellEditor column={column} draft={{ text, isTyped }} onChange={onChange} onLeave={vi.fn()} />,
  );
  return { onChange, field: screen.getByLabelText(column.label) };
}

test("what may be one of a few is chosen, and typed over as text", () => {
  const { onChange, field } = drawn(PAID, "false");
  fireEvent.change(field, { target: { value: "true" } });
  expect(field).toHaveProperty("tagName", "SELECT");
  expect(onChange).toHaveBeenLastCalledWith("true");
});

test("a cell that is typed into takes any text", () => {
  expect(drawn(PAID, "t", true).field).toHaveProperty("type", "text");
});

test.each([
  ["2026-06-01", "date", "2026-06-02", "2026-06-02"],
  ["", "date", "2026-06-02", "2026-06-02"],
  ["2026-06-01 08:30:00", "datetime-local", "2026-06-02T09:00:05", "2026-06-02 09:00:05"],
  ["someday", "text", "soon", "soon"],
])("the date %j is edited as %s", (text, type, chosen, sent) => {
  const { onChange, field } = drawn(DAY, text);
  expect(field).toHaveProperty("type", type);
  fireEvent.change(field, { target: { value: chosen } });
  expect(onChange).toHaveBeenLastCalledWith(sent);
});

test("places of columns come back from this browser, also such as nobody wrote", () => {
  const places = [
    { key: "a b:c%", width: 120 },
    { key: "价格", width: undefined },
  ];
  gridColumns.write("7", places);
  expect(gridColumns.read("7")).toEqual(places);
  localStorage.setItem("coterie.1.grid.8", "%FF:9 x:wide");
  expect(gridColumns.read("8").map(({ width }) => width)).toEqual([undefined, undefined]);
  expect(gridColumns.read("9")).toEqual([]);
});
