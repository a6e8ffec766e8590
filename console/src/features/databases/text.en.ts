export const text = {
  title: "Databases",
  search: "Search databases",
  create: "New table",
  variables: "Variables",
  columns: {
    name: "Name",
    fields: "Fields",
    agents: "Agents",
    rows: "Rows",
    creator: "Made by",
    updated: "Changed",
  },
  rows: { own: "Each user their own", readOnly: "Read only", shared: "Shared by all" },
  removeVerb: "Delete database",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy: "All of its rows are deleted, those of the draft and those of users.",
  removed: (name: string) => `Deleted ${name}`,
  noMatch: "No database matches",
  clearFilters: "Clear the search",
  empty: "No databases yet",
  emptyWhy:
    "A database is a table that agents and workflows read and write: orders, notes, whatever they have to remember row by row.",
};

export type Text = typeof text;
