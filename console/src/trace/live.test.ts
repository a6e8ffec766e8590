import { expect, test } from "vitest";
import { LiveSpans } from "./live";

const told = (id: string, started: number, more: object = {}) => ({
  id,
  parent_id: null,
  run_id: "7",
  kind: "model",
  name: id,
  started_at_us: started,
  ...more,
});

test("steps grow until their end is told, from the start of the first one", () => {
  const live = new LiveSpans();
  live.take(told("later", 2_000_500));
  live.take(told("first", 2_000_000));
  const [first, later] = live.view(2_001_000);
  expect([first?.start_us, first?.duration_us, first?.status]).toEqual([0, 1000, "running"]);
  expect([later?.start_us, later?.duration_us]).toEqual([500, 500]);

  live.take(told("later", 2_000_500, { duration_us: 40, status: "ok" }));
  const ended = live.view(2_009_000).find((each) => each.id === "later");
  expect([ended?.duration_us, ended?.status]).toEqual([40, "ok"]);
});

test("a clock behind that of the server draws nothing backwards", () => {
  const live = new LiveSpans();
  live.take(told("ahead", 5_000));
  expect(live.view(1_000)[0]?.duration_us).toBe(0);
});

test("what is no span is left out", () => {
  const live = new LiveSpans();
  live.take({ id: "strange" });
  expect(live.view(1)).toEqual([]);
});
