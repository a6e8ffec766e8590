import { plural } from "../../text/formats";

export const text = {
  title: "Workflows",
  search: "Search workflows",
  columns: {
    name: "Name",
    state: "State",
    kind: "Kind",
    test: "Test run",
    creator: "Made by",
    updated: "Changed",
  },
  kinds: { workflow: "Workflow", chatflow: "Chat flow" },
  tests: { passed: "Passed", none: "Not run" },
  filters: {
    state: "State",
    published: "Published",
    draft: "Not published",
    kind: "Kind",
    order: "Order",
    newest: "Newest first",
    oldest: "Oldest first",
  },
  removeVerb: "Delete workflow",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy:
    "Its draft and versions are deleted. Agents and workflows that call it fail from then on.",
  removed: (name: string) => `Deleted ${name}`,
  noMatch: "No workflow matches",
  clearFilters: "Clear filters",
  empty: "No workflows yet",
  emptyWhy:
    "A workflow does a task in steps that you draw: models, knowledge, code, tools and branches. Begin with an empty canvas, or bring one from another studio.",
  create: "New workflow",
  createVerb: "Make workflow",
  name: "Name",
  purpose: "Description",
  purposeHint: "Models read it when they call the workflow as a tool",
  kind: "Kind",
  kindHints: {
    workflow: "Runs once and gives a result",
    chatflow: "Answers in a conversation",
  },
  bring: "Import",
  bringTitle: "Import canvases",
  bringWhy: "JSON files of Coze Studio, FastGPT or this console. Nothing of them is changed.",
  dropFiles: "Drop JSON files here, or choose them",
  bringVerb: (count: number) => plural(count, { one: "Import # file", other: "Import # files" }),
  done: "Done",
  open: "Open",
  report: {
    errors: (count: number) => plural(count, { one: "# error", other: "# errors" }),
    warnings: (count: number) => plural(count, { one: "# warning", other: "# warnings" }),
    clean: "No problems found",
    failed: "Not imported",
    unknown: (count: number) =>
      plural(count, {
        one: "# node of a kind that is not known here",
        other: "# nodes of kinds that are not known here",
      }),
    missing: "Not in this workspace:",
    importing: "Importing…",
  },
  resources: {
    workflow: "Workflow",
    model: "Model",
    dataset: "Knowledge base",
    plugin: "Plugin",
    database: "Database",
  },
};

export type Text = typeof text;
