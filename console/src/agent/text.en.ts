export const text = {
  duplicate: "Duplicate…",
  duplicateTitle: (name: string) => `Duplicate ${name}`,
  duplicateVerb: "Duplicate agent",
  duplicateName: (name: string) => `${name} copy`,
  duplicated: (name: string) => `Duplicated as ${name}`,
  name: "Name",
  workspace: "Workspace",
  staysBehind:
    "Icon, knowledge, tools, workflows and team belong to this workspace and stay behind. Persona, model settings, variables and opening go along.",
  open: "Open",
  export: "Export",
  exportFailed: (name: string) => `${name} could not be exported`,
  template: "Offer as template…",
  noTemplate: "No longer a template",
  templateTitle: (name: string) => `Offer ${name} as a template`,
  templateWhy:
    "Members of this workspace find it when they make an agent, and get a copy of its draft.",
  templateVerb: "Offer template",
  category: "Category",
  categoryHint: "What the templates are sorted by, for instance Support.",
  marked: (name: string) => `${name} is a template now`,
  unmarked: (name: string) => `${name} is no template any more`,
  failed: (name: string) => `${name} was not changed`,
  removeVerb: "Delete agent",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeWhy:
    "Its draft, versions and settings can be brought back for seven days. Conversations stay readable; what it remembered of its users is forgotten at once.",
  removeLive: "It is published: clients that call it get an error from then on.",
  removed: (name: string) => `Deleted ${name}`,
  undo: "Undo",
  restored: (name: string) => `${name} is back`,
  notRestored: (name: string) => `${name} could not be brought back`,
  teaching: {
    files: "Drop files, or choose them",
    filesHint: "PDF, Word, slides, Markdown, HTML, text",
    sending: (percent: number) => `Sending: ${percent} %`,
    reading: (done: number, count: number) =>
      count === 1 ? "Reading the file" : `Reading the files: ${done} of ${count} done`,
    unread: (name: string, reason: string) => `${name} could not be read: ${reason}`,
  },
  kept: {
    unset: "not set",
    value: "Value",
    edit: (value: string) => `Edit ${value}`,
    save: "Save",
    cancel: "Cancel",
  },
};

export type Text = typeof text;
