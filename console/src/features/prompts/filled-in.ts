import { VARIABLE } from "../../text/prompt-variables";

/** A prompt with values in the place of its variables; those without one stay as they are. */
export function filledIn(prompt: string, values: Readonly<Record<string, string>>): string {
  return prompt.replaceAll(VARIABLE, (whole, name: string) => values[name] || whole);
}
