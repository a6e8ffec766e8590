import { plural } from "../../../text/formats";

export const text = {
  knowledge: "Knowledge",
  slices: "Slices",
  search: "Search slices",
  count: (count: number) => plural(count, { one: "# slice", other: "# slices" }),
  slice: (number: number) => `Slice ${number}`,
  chars: (count: number) => plural(count, { one: "# character", other: "# characters" }),
  hits: (count: number) => plural(count, { one: "# hit", other: "# hits" }),
  states: { pending: "Being indexed", failed: "Not indexed" },
  edit: "Edit",
  save: "Save",
  restore: "Restore",
  add: "Add slice",
  addTitle: "New slice",
  addLabel: "Text",
  remove: "Delete slice",
  removeVerb: "Delete slice",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy: "It is no longer found. Cutting the document again brings it back.",
  removed: (name: string) => `Deleted ${name}`,
  noMatch: "No slice matches",
  clear: "Clear search",
  empty: "No slices yet",
  emptyWorking: "The document is being read. Its slices appear here when it is done.",
  emptyFailed: "The document could not be read.",
  emptyWhy: "Nothing in the document became a slice.",
};

export type Text = typeof text;
