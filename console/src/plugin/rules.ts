import type { PluginReview, ReviewPlugin } from "../api/schema";

export type Review = PluginReview;
export type ToolDraft = PluginReview["tools"][number];
export type Source = { kind: "document" | "address"; text: string };

/** Below this a description hardly says when a tool is to be called. */
const SHORTEST = 20;
const SHOWN_PARAMETERS = 4;

/** What is sent to have a source looked at; the server tells OpenAPI, Swagger and Postman apart. */
export function reviewOf({ kind, text }: Source): ReviewPlugin {
  const words = text.trim();
  if (kind === "address") return { format: "openapi", url: words };
  return { format: isCurl(words) ? "curl" : "openapi", data: words, url: "" };
}

function isCurl(words: string): boolean {
  return /^(\$\s*)?curl\s/i.test(words);
}

/** Whether a model can hardly choose a tool by what is said of it. */
export function isTooShort(description: string): boolean {
  const words = description.trim();
  // A Chinese character says about as much as three letters.
  const han = words.match(/\p{Script=Han}/gu)?.length ?? 0;
  return words.length + 2 * han < SHORTEST;
}

/** Names of what a model is asked for, the first few, and how many more there are. */
export function parametersShown(tool: ToolDraft): { names: readonly string[]; more: number } {
  const visible = (tool.parameters ?? []).filter((each) => each.visible !== false);
  return {
    names: visible.slice(0, SHOWN_PARAMETERS).map((each) => each.alias || each.name),
    more: Math.max(0, visible.length - SHOWN_PARAMETERS),
  };
}
