export const text = {
  label: "Groups",
  create: "New group",
  createTitle: "New group",
  createVerb: "Create group",
  name: "Name",
  nameHint: "A team or a class of people: what is shared with it is shared with all in it.",
  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  members: "Members",
  addMember: "Add to the group",
  addHint: "Also people who are no members of the workspace: they see what is shared, only that.",
  choose: "A name",
  nobody: "Nobody is in this group yet.",
  takeOut: (name: string) => `Take ${name} out of the group`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeVerb: "Delete group",
  removeWhy: "Its people stay. What was shared with the group is not shared with them any more.",
  removed: (name: string) => `Deleted ${name}`,
  columns: { name: "Name", changed: "Changed" },
  empty: "No groups yet",
  emptyWhy:
    "Share agents, bases and workflows with several people at once, and limit costly models and plugins to them.",
};

export type Text = typeof text;
