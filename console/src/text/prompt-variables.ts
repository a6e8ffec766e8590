/** A variable in a persona: `{{city}}`. */
export const VARIABLE = /\{\{\s*([\w.\u4e00-\u9fff-]*)\s*\}\}/g;

/** Names of the variables that a text uses, in their order. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ""))].filter(Boolean);
}
