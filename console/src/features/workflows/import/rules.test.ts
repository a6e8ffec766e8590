import { expect, test } from "vitest";
import type { AdminReviewedCanvas, AdminReviewedNeed } from "../../../api/schema";
import { mappingOf, proposal, versionNamed, wantsOf, withBrought } from "./rules";

function need(kind: string, id: string, more: Partial<AdminReviewedNeed> = {}): AdminReviewedNeed {
  return {
    ...{ kind, id, name: "", detail: "", node_ids: ["1"], exists: false, brought_by: null },
    ...more,
  };
}

function canvas(...resources: AdminReviewedNeed[]): AdminReviewedCanvas {
  return {
    file_name: "a.json",
    name: "a",
    mode: 0,
    dialect: "coze",
    problem: "",
    nodes: [{ id: "1", title: "Search the handbook" }],
    can_run: true,
    can_be_published: true,
    omitted: 0,
    diagnostics: [],
    unknown_nodes: [],
    resources,
  };
}

test("what is here or comes along is not asked for, everything else once", () => {
  const wants = wantsOf([
    canvas(need("model", "7", { name: "Large" }), need("dataset", "55")),
    canvas(need("model", "7"), need("dataset", "9", { exists: true })),
    canvas(need("workflow", "3", { brought_by: 0, detail: "v1.0.0" })),
  ]);
  expect(wants.map(({ kind, id, name }) => [kind, id, name])).toEqual([
    ["model", "7", "Large"],
    ["dataset", "55", ""],
  ]);
});

test("the same name is proposed, else one that the node is called by", () => {
  const [model, base] = wantsOf([
    canvas(need("model", "7", { name: "GPT_4o" }), need("dataset", "5")),
  ]);
  const choices = [
    { value: "a", label: "gpt-4o" },
    { value: "b", label: "Handbook" },
  ];
  expect(model && proposal(model, choices)?.value).toBe("a");
  expect(base && proposal(base, choices)?.value).toBe("b");
  expect(base && proposal(base, [{ value: "c", label: "Prices" }])).toBeUndefined();
});

test("a tool goes with its plugin, and what was left open is left out", () => {
  const wants = wantsOf([
    canvas(need("plugin", "1", { detail: "11" }), need("database", "2"), need("model", "3")),
  ]);
  const mapping = mappingOf(wants, { "plugin 1 11": "8/88", "model 3 ": "5" });
  expect(mapping).toEqual({
    workflows: {},
    models: { "3": "5" },
    datasets: {},
    plugins: { "1": "8", "11": "88" },
    databases: {},
  });
});

test("callers get the ids of what was imported before, which is published as they name it", () => {
  const calls = [
    need("workflow", "3", { brought_by: 1, detail: "v1.9.0" }),
    need("workflow", "3", { brought_by: 1, detail: "v1.10.0" }),
  ];
  const items = [canvas(...calls), canvas()];
  expect(versionNamed(items, 1)).toBe("v1.10.0");
  expect(versionNamed(items, 0)).toBeUndefined();
  const mapping = withBrought(mappingOf([], {}), calls, new Map([[1, "900"]]));
  expect(mapping.workflows).toEqual({ "3": "900" });
});
