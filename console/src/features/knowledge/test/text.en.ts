import { plural } from "../../../text/formats";

export const text = {
  question: "Question",
  search: "Search",
  bases: "Knowledge bases",
  preset: "Settings",
  own: "Own",
  ofAgent: (name: string) => `As ${name} has them`,
  settings: "Settings",
  results: "Results",
  compare: "Compare with other settings",
  compareHint: "Runs the same question with a second set of settings beside this one.",
  side: { a: "A", b: "B" },
  intro:
    "Ask as a user would. You see what an agent would be given, and why other slices were left out.",
  found: (count: number) => plural(count, { one: "# slice shown", other: "# slices shown" }),
  tokens: (count: string) => `≈ ${count} tokens`,
  tokensWhy: "What they take together in the prompt of an agent, estimated",
  trial: "Search",
  beside: "Beside it",
  alone: "None",
  trialName: (number: number, question: string, time: string) =>
    `${number} · ${question} · ${time}`,
  trialHint: (kind: string, count: number, score: string) =>
    `${kind}, at most ${count}, least score ${score}`,
  movement: (up: number, down: number, isNew: number, gone: number) =>
    [
      up > 0 && `${up} up`,
      down > 0 && `${down} down`,
      isNew > 0 && `${isNew} new`,
      gone > 0 && `${gone} gone`,
    ]
      .filter(Boolean)
      .join(", ") || "nothing moved",
  fromTo: (movement: string) => `From A to B: ${movement}`,
  sinceBefore: (movement: string) => `Since the search before: ${movement}`,
  showBoth: "Show both",
  said: {
    title: "Said before",
    why: "Follow-up questions are completed from it where the question is rewritten.",
    user: "User",
    assistant: "Agent",
    add: "Add a message",
    remove: (number: number) => `Remove message ${number}`,
  },
  nothing: "Nothing was found",
  nothingWhy: "Lower the least score, or ask in words of the documents.",
  skipped: "This base is switched off or empty, so nothing was searched.",
  queries: "Asked as",
  stages: "Steps",
  stage: {
    rewrite: "Rewriting",
    expand: "More wordings",
    embed: "Embedding",
    vector: "Meaning",
    full_text: "Words",
    nl2sql: "SQL",
    hydrate: "Loading",
    rerank: "Reranking",
  },
  milliseconds: (value: string) => `${value} ms`,
  channels: { embedding: "Meaning", full_text: "Words", sql: "SQL", rerank: "Rerank" },
  rank: (rank: number) => `#${rank}`,
  page: (page: number) => `p. ${page}`,
  row: (row: number) => `row ${row}`,
  moved: (from: number) => `was #${from}`,
  isNew: "only here",
  left: (count: number) => plural(count, { one: "# left out", other: "# left out" }),
  leftTitle: "Left out",
  cuts: {
    guard: "Not visible to this workspace",
    filter: "Left out by the filter",
    threshold: "Below the least score",
    duplicate: "Says what another slice says",
    top_k: "Beyond the number of slices",
    joined: "Part of a neighbour that is shown",
    tokens: "No room within the tokens",
  },
  score: "Score",
};

export type Text = typeof text;
