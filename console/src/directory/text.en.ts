export const text = {
  types: {
    agent: "Agent",
    workflow: "Workflow",
    dataset: "Knowledge base",
    document: "Document",
    plugin: "Plugin",
    database: "Database",
    prompt: "Prompt",
    member: "Member",
    run: "Run",
    conversation: "Conversation",
    token: "Access token",
  },
};

export type Text = typeof text;
