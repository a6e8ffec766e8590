import { at } from "../document/read";
import { type Field, field, wantedType } from "./field";
import type { Graph } from "./graph";
import { referencesIn } from "./reference";

/** Where values come from that no node gives. */
export const VARIABLE_SOURCES = [
  "global_variable_user",
  "global_variable_app",
  "global_variable_system",
] as const;

export type VariableSource = (typeof VARIABLE_SOURCES)[number];
export type Variables = { readonly source: VariableSource; readonly fields: readonly Field[] };

const NAME = /^[A-Za-z_]\w*$/;

/**
 * The variables that nodes of a canvas read or assign, behind those that are declared elsewhere.
 * Whoever calls the workflow declares its variables: the canvas knows them by their use alone.
 */
export function variablesIn(graph: Graph, declared: readonly Variables[]): readonly Variables[] {
  const found = new Map<string, Map<string, Field>>(
    VARIABLE_SOURCES.map((source) => [source, new Map<string, Field>()]),
  );
  for (const { source, fields } of declared) {
    for (const each of fields) found.get(source)?.set(each.name, each);
  }
  for (const node of graph.nodes.values()) {
    for (const { source, segments, path } of referencesIn(node.value)) {
      const [name = "", ...deeper] = segments;
      const known = found.get(source);
      if (!known || !NAME.test(name) || known.has(name)) continue;
      const input = at(node.value, path.slice(0, -2));
      known.set(name, deeper.length > 0 ? field(name, "object") : wantedType(input, name));
    }
  }
  return VARIABLE_SOURCES.map((source) => ({
    source,
    fields: [...(found.get(source)?.values() ?? [])],
  }));
}

/** A variable of the app or the user under a name that nothing uses yet. */
export function unknownVariables(
  known: readonly Variables[],
  name: string,
  wanted: Field | undefined,
): readonly Variables[] {
  if (!NAME.test(name)) return [];
  return known
    .filter(
      ({ source, fields }) =>
        source !== "global_variable_system" && fields.every((each) => each.name !== name),
    )
    .map(({ source }) => ({
      source,
      fields: [{ ...(wanted ?? field("", "string")), name, description: "" }],
    }));
}
