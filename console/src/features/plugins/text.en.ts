export const text = {
  title: "Plugins",
  search: "Search plugins",
  import: "Import",
  columns: {
    name: "Name",
    state: "State",
    kind: "Kind",
    tools: "Tools",
    users: "Agents",
    call: "Last call",
    creator: "Made by",
    updated: "Changed",
  },
  kinds: { http: "HTTP", mcp: "MCP server", local: "Client", workflow: "Workflows" },
  calls: {
    none: "None yet",
    worked: "Worked",
    failed: "Failed",
    status: (code: number) => `Status ${code}`,
  },
  filters: { state: "State", published: "Published", draft: "Not published" },
  removeVerb: "Delete plugin",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy: "Its tools are gone for the agents and workflows that use them.",
  removeAllWhy:
    "Their tools are gone for the agents and workflows that use them. They cannot be brought back.",
  removed: (name: string) => `Deleted ${name}`,
  noMatch: "No plugin matches",
  clearFilters: "Clear filters",
  empty: "No plugins yet",
  emptyWhy: "A plugin gives agents tools: an HTTP service described by OpenAPI, or an MCP server.",
};

export type Text = typeof text;
