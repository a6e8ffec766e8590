import { plural } from "../../text/formats";

export const text = {
  title: "Knowledge",
  search: "Search knowledge bases",
  columns: {
    name: "Name",
    state: "State",
    kind: "Kind",
    documents: "Documents",
    slices: "Slices",
    size: "Size",
    updated: "Changed",
  },
  kinds: ["Text", "Table", "Images"],
  states: {
    empty: "Empty",
    ready: "Ready",
    off: "Switched off",
    reading: (count: number) =>
      plural(count, { one: "Reading # document", other: "Reading # documents" }),
    failed: (count: number) => plural(count, { one: "# failed", other: "# failed" }),
  },
  filters: { kind: "Kind" },
  noMatch: "No base matches",
  clearFilters: "Clear filters",
  empty: "No knowledge bases yet",
  emptyWhy:
    "A knowledge base holds documents that agents answer from, with sources. Bring a folder in with the command line:",
};

export type Text = typeof text;
