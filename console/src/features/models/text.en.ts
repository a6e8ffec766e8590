export const text = {
  title: "Models",
  search: "Search models",
  columns: {
    name: "Name",
    provider: "Provider",
    type: "Kind",
    window: "Window",
    abilities: "Abilities",
    source: "Set in",
    state: "State",
  },
  types: { llm: "Chat", embedding: "Embedding", rerank: "Rerank" },
  sources: {
    packaged: "Built in",
    config: "Configuration file",
    environment: "Environment",
    database: "Console or API",
  },
  abilities: {
    tools: "Calls tools",
    vision: "Sees images",
    audio: "Hears sound",
    json: "Held to a JSON schema",
    reasoning: "Thinks before it answers",
  },
  states: { default: "Default", vision: "Default for images", on: "On", off: "Switched off" },
  filters: { type: "Kind" },
  noMatch: "No model matches",
  clearFilters: "Clear filters",
  empty: "No models",
  emptyWhy:
    "Set OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL, or add one with the command line:",
};

export type Text = typeof text;
