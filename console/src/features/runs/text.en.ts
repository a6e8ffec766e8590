import { formatNumber, plural } from "../../text/formats";

export const text = {
  title: "Runs",
  search: "Search questions and answers",
  columns: {
    name: "Agent or workflow",
    question: "Question",
    state: "State",
    started: "Started",
    source: "From",
    firstToken: "First token",
    duration: "Took",
    steps: "Steps",
    tools: "Tools",
    tokens: "Tokens",
    cost: "Points",
    user: "User",
    feedback: "Feedback",
    tags: "Tags",
  },
  notKept: "What was said was not kept",
  liked: (count: number) => plural(count, { one: "Liked once", other: "Liked # times" }),
  disliked: (count: number) => plural(count, { one: "Disliked once", other: "Disliked # times" }),
  fresh: (count: number) => plural(count, { one: "# new run", other: "# new runs" }),
  manyFresh: (count: number) => `${formatNumber(count)}+ new runs`,
  openAgent: "Open the agent",
  openWorkflow: "Open the workflow",
  openConversation: "Open the conversation",
  onlyThese: "Only runs of this",
  searchOn: "Search further back",
  searched: "Only a part of these runs was searched so far.",
  noMatch: "No run matches",
  noMatchWhy: "Text is found where what was said is kept.",
  clearFilters: "Clear filters",
  empty: "No runs in this time",
  emptyWhy:
    "Every question to an agent and every start of a workflow leaves a run here, with all its steps.",
  noRun: "No runs",
};

export type Text = typeof text;
