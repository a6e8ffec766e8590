export const text = {
  title: "Chat with",
  all: "All agents",
  none: "There is no agent to talk to yet.",
};

export type Text = typeof text;
