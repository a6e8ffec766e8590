import { formatNumber } from "../text/formats";

const states: Readonly<Record<string, string>> = {
  completed: "Done",
  failed: "Failed",
  cancelled: "Stopped",
  interrupted: "Waits",
  running: "Running",
};

const sources: Readonly<Record<string, string>> = {
  playground: "Console",
  api: "API",
  openai: "OpenAI API",
  mcp: "MCP",
  share_link: "Share link",
  embed: "Embedded",
  channel: "Channel",
  trigger: "Trigger",
  evaluation: "Evaluation",
  ingest: "Import",
};

export const text = {
  states,
  sources,
  draft: "Draft",
  published: "Published",
  tokens: (input: number, output: number) =>
    `${formatNumber(input)} in · ${formatNumber(output)} out`,
};

export type Text = typeof text;
