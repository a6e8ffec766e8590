// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { staleAfter } from "./live-queries";

const CHANGE = {
  type: "changed",
  workspace_id: "1",
  resource_id: "7",
  revision: 3,
  what: "created",
  at_ms: 1,
} as const;

test("a change makes the lists of its workspace wrong, and what is shown of it", () => {
  expect(staleAfter({ ...CHANGE, resource_type: "plugin" })).toEqual([
    ["admin.plugins.list", "1"],
    ["admin.workspaces.get_home", "1"],
    ["admin.plugins.get", "7"],
    ["admin.plugin_tools.list", "7"],
    ["admin.plugins.list_changes", "7"],
  ]);
  expect(staleAfter({ ...CHANGE, resource_type: "agent" })).toEqual([
    ["admin.agents.list", "1"],
    ["admin.workspaces.get_home", "1"],
  ]);
});

test("what is passing asks for figures alone", () => {
  const steps = { ...CHANGE, resource_type: "dataset", what: "progress" } as const;
  expect(staleAfter(steps)).toEqual([["admin.datasets.get_progress", "7"]]);
  const rows = { ...CHANGE, resource_type: "database", what: "progress" } as const;
  expect(staleAfter(rows)).toEqual([["admin.database_imports.get", "7"]]);
  const run = { ...CHANGE, resource_type: "run", what: "state" } as const;
  expect(staleAfter(run)).toEqual([["runs.fresh"], ["admin.workspaces.get_home", "1"]]);
});

test("changes of models and of what is used of a budget make what is shown of them wrong", () => {
  expect(staleAfter({ type: "models", at_ms: 1 })).toEqual([
    ["admin.models.list"],
    ["admin.models.get"],
    ["admin.prices.list"],
  ]);
  const notice = { type: "notice", what: "budget_reached", percent: 80, at_ms: 1 } as const;
  const of = { workspace_id: "1", resource_id: "7" };
  expect(staleAfter({ ...notice, ...of })).toEqual([["admin.budgets.list", "1"]]);
});

test("other rights make the session wrong, and a long break all lists", () => {
  expect(staleAfter({ type: "session", at_ms: 1 })).toEqual([["session"]]);
  expect(staleAfter({ type: "reset", at_ms: 1 })).toContainEqual(["admin.prompts.list"]);
  expect(staleAfter({ type: "reset", at_ms: 1 })).toContainEqual(["admin.models.list"]);
  expect(staleAfter({ type: "live.began", at_ms: 1 })).toEqual([]);
});
