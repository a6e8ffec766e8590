import { formatNumber, plural } from "../../text/formats";

export const text = {
  filters: {
    time: "Time",
    state: "State",
    agent: "Agent",
    workflow: "Workflow",
    source: "From",
    model: "Model",
    tool: "Tool",
    duration: "Took",
    cost: "Points",
    feedback: "Feedback",
    order: "Order",
    version: "Version",
    user: "User",
    conversation: "Conversation",
    error: "Error code",
    more: "More filters",
  },
  times: {
    "1h": "Last hour",
    "24h": "Last 24 hours",
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
  },
  range: (from: string, to: string) => `${from} – ${to}`,
  atLeast: (value: string) => `≥ ${value}`,
  below: (value: string) => `< ${value}`,
  feedback: { up: "Liked", down: "Disliked" },
  orders: { duration: "Slowest first", cost: "Most expensive first" },
  figures: {
    runs: (count: number) => plural(count, { one: "# run", other: "# runs" }),
    errors: (count: number) => `${formatNumber(count)} failed`,
    p50: "half within",
    p95: "95% within",
    firstToken: "first token",
    tokens: "tokens",
    cost: "points",
  },
  chart: "Runs over time",
  bar: (when: string, runs: string, errors: string) => `${when}: ${runs}, ${errors}`,
};

export type Text = typeof text;
