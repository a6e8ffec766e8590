// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { AdminHome } from "../api/schema";
import { countOf } from "./badge";

const NOW_S = 1_000_000;
const HOUR_S = 3600;

function waits(type: AdminHome["waiting"][number]["type"], hoursAgo: number) {
  return {
    type,
    id: `${type} ${hoursAgo}`,
    name: "",
    at: NOW_S - hoursAgo * HOUR_S,
    reason: "",
    calls: [],
    parent_id: null,
    parent_type: null,
    conversation_id: null,
    workflow_run_id: null,
  } satisfies AdminHome["waiting"][number];
}

test("runs that ask count for home, documents that failed today for knowledge", () => {
  const waiting = [
    waits("consent", 200),
    waits("question", 1),
    waits("document", 2),
    waits("document", 30),
    waits("token", -5),
  ];
  expect(countOf(waiting, "home", NOW_S)).toBe(2);
  expect(countOf(waiting, "knowledge", NOW_S)).toBe(1);
  expect(countOf([], "home", NOW_S)).toBe(0);
});
