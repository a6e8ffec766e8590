import { plural } from "../../text/formats";

export const text = {
  title: "Knowledge",
  search: "Search knowledge bases",
  open: "Open",
  create: "New base",
  createVerb: "Create base",
  created: (name: string) => `Created ${name}`,
  fields: {
    name: "Name",
    description: "Description",
    descriptionHint: "What is in it, in a sentence. Agents that choose among bases read it.",
    kind: "What it holds",
  },
  kindNotes: [
    "Documents, web pages and notes, cut into slices",
    "Rows of a spreadsheet, found by key columns and by SQL",
    "Pictures, found by their captions",
  ],
  removeVerb: "Delete base",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy: "Its documents, slices and indexes are deleted. This cannot be undone.",
  removed: (name: string) => `Deleted ${name}`,
  columns: {
    name: "Name",
    state: "State",
    kind: "Kind",
    documents: "Documents",
    slices: "Slices",
    size: "Size",
    model: "Embedding model",
    agents: "Agents",
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
    rebuilding: (percent: number) => `New index, ${percent} %`,
  },
  filters: {
    kind: "Kind",
    state: "State",
    states: {
      ready: "Ready",
      in_work: "Reading documents",
      failed: "With failed documents",
      empty: "Empty",
      off: "Switched off",
    },
  },
  into: {
    title: "Import documents",
    base: "Into which base",
    create: "Into a new base",
    verb: "Choose documents",
  },
  noMatch: "No base matches",
  clearFilters: "Clear filters",
  empty: "No knowledge bases yet",
  emptyWhy:
    "A knowledge base holds documents that agents answer from, with sources. Create one, then bring in files, web pages or text.",
};

export type Text = typeof text;
