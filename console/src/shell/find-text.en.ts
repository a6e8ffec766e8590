export const text = {
  groups: { do: "Do", open: "Go to", found: "Found", recent: "Opened last" },
  begin: {
    agent: "New agent",
    workflow: "New workflow",
    canvas: "Import a canvas",
    base: "New knowledge base",
    plugin: "Import a plugin",
  },
  nothing: "Nothing found",
  nothingWhy: "Try a shorter word, or the name of a screen.",
  themes: {
    system: "Let the theme follow the system",
    light: "Use the light theme",
    dark: "Use the dark theme",
  },
  language: (name: string) => `Switch to ${name}`,
  workspace: (name: string) => `Open workspace ${name}`,
  signOut: "Sign out",
  shortcuts: "Keyboard shortcuts",
};

export type Text = typeof text;
