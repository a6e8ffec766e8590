export const text = {
  title: "Prompts",
  search: "Search prompts",
  create: "New prompt",
  createVerb: "Create prompt",
  created: (name: string) => `Created ${name}`,
  edit: "Edit",
  editTitle: "Edit prompt",
  save: "Save",
  fields: { name: "Name", description: "Description", text: "Prompt" },
  variables: (names: string) => `Variables: ${names}`,
  variablesHint: "{{city}} stands for a variable of the agent.",
  columns: { name: "Name", prompt: "Prompt", creator: "Made by", updated: "Changed" },
  copyText: "Copy prompt",
  textCopied: "Prompt copied",
  removeVerb: "Delete prompt",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy: "Agents keep the text that they took from it.",
  removed: (name: string) => `Deleted ${name}`,
  noMatch: "No prompt matches",
  clearFilters: "Clear the search",
  empty: "No prompts yet",
  emptyWhy:
    "Texts that a team writes once and uses in many agents: tones, rules, formats of answers.",
};

export type Text = typeof text;
