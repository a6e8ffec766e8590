import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { traceBodyText } from "./body-text";
import type { Span } from "./layout";
import { Waterfall } from "./waterfall";

const STEPS = 2000;

/** A long run: one agent with steps one after the other. */
const LONG: readonly Span[] = Array.from({ length: STEPS }, (_, index) => ({
  id: String(index),
  parent_id: index === 0 ? null : "0",
  run_id: "1",
  kind: index === 0 ? "agent" : "tool",
  name: index === 0 ? "Guide" : `step ${index}`,
  start_us: index * 10,
  duration_us: index === 0 ? STEPS * 10 : 10,
  status: "ok",
  error_code: 0,
  error: "",
  attributes: {},
  input: null,
  output: null,
  usage: null,
  cost: "0",
  links: [],
}));

beforeEach(async () => {
  await traceBodyText.load("en");
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
});

test("of thousands of steps only those in sight are drawn", async () => {
  const onChoose = vi.fn();
  render(<Waterfall spans={LONG} chosenId={undefined} onChoose={onChoose} />);
  const grid = await screen.findByRole("treegrid");
  expect(grid.getAttribute("aria-rowcount")).toBe(String(STEPS + 1));
  await within(grid).findByRole("row", { name: /step 10,/ });
  const drawn = within(grid).getAllByRole("row").length;
  expect(drawn).toBeGreaterThan(10);
  expect(drawn).toBeLessThan(80);
});

test("letters walk through the steps and lead to the prompt", async () => {
  const [onChoose, onPrompt] = [vi.fn(), vi.fn()];
  const spans = LONG.slice(0, 5).map((span, index) =>
    index === 3 ? { ...span, kind: "model", name: "model" } : span,
  );
  render(<Waterfall spans={spans} chosenId="1" onChoose={onChoose} onPrompt={onPrompt} />);
  (await screen.findByRole("row", { name: /step 1,/ })).focus();
  await userEvent.keyboard("j");
  expect(onChoose).toHaveBeenLastCalledWith("2");
  await userEvent.keyboard("k");
  expect(onChoose).toHaveBeenLastCalledWith("0");
  await userEvent.keyboard("p");
  expect(onPrompt).toHaveBeenCalledWith("3");
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await userEvent.keyboard("c");
  expect(write).toHaveBeenCalledWith("1");
});

test("a search among thousands leaves what lies on its way", async () => {
  render(<Waterfall spans={LONG} chosenId={undefined} onChoose={vi.fn()} />);
  await userEvent.type(await screen.findByRole("searchbox"), "step 1999");
  await screen.findByRole("row", { name: /step 1999/ });
  const rows = within(screen.getByRole("treegrid")).getAllByRole("row");
  expect(rows.map((row) => row.getAttribute("aria-level"))).toEqual([null, "1", "2"]);
});
