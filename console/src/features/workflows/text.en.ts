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
  states: {
    draft: "Draft",
    published: (version: string) => (version ? `Published ${version}` : "Published"),
    changed: (version: string) => (version ? `Changed since ${version}` : "Changed since publish"),
  },
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
    "A workflow does a task in steps that you draw: models, knowledge, code, tools and branches. Bring a canvas from disk with the command line:",
};

export type Text = typeof text;
