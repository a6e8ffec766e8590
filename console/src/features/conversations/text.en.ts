import { plural } from "../../text/formats";

export const text = {
  title: "Conversations",
  search: "Search names",
  columns: {
    name: "Conversation",
    state: "State",
    user: "User",
    source: "From",
    feedback: "Feedback",
    last: "Last run",
  },
  filters: {
    time: "Time",
    agent: "Agent",
    source: "From",
    feedback: "Feedback",
    waits: "Needs a person",
    own: "Whose",
    user: "User",
  },
  times: {
    "24h": "Last 24 hours",
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
    all: "All",
  },
  feedback: { up: "Liked", down: "Disliked" },
  waits: "Waits for a person",
  own: "Begun by me",
  states: {
    created: "Running",
    in_progress: "Running",
    requires_action: "Waits",
    completed: "Done",
    failed: "Failed",
    canceled: "Stopped",
  },
  likes: (count: number) => plural(count, { one: "# liked answer", other: "# liked answers" }),
  dislikes: (count: number) =>
    plural(count, { one: "# disliked answer", other: "# disliked answers" }),
  unnamed: "Without a name",
  openAgent: "Open the agent",
  openRuns: "Show its runs",
  onlyUser: "Only this user",
  noMatch: "No conversation matches",
  clearFilters: "Clear filters",
  empty: "No conversations in this time",
  emptyWhy:
    "Whatever people ask your agents is listed here: in the console, through the API, on share links and channels.",
  onlyOwn:
    "You see the conversations that you began. Those of others need the right to read traces.",
};

export type Text = typeof text;
