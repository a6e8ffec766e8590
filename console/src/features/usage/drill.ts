import type { Span } from "./span";

/** What runs can be narrowed by, by the dimension of usage that says the same. */
const FILTERS = {
  agent: "agent",
  workflow: "workflow",
  model: "model",
  source: "source",
  version: "version",
  end_user: "user",
} as const;

/** The runs that a group consists of; nothing where the list of runs cannot tell them apart. */
export function runsOf(
  values: Readonly<Record<string, string>>,
  { since, until }: Span,
): Readonly<Record<string, string>> | undefined {
  const known: Readonly<Record<string, string>> = FILTERS;
  const filters: Record<string, string> = { time: `${since}-${until}` };
  for (const [dimension, value] of Object.entries(values)) {
    const filter = known[dimension];
    if (!filter || !value) return undefined;
    filters[filter] = value;
  }
  return filters;
}
