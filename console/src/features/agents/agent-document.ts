/** What a file says that was exported from here or elsewhere. */
export type AgentDocument = {
  document: Record<string, unknown>;
  name: string;
  /** Values that have to be given, for no file holds them. */
  secrets: readonly string[];
};

const KIND = "coterie.agent";
const REFERENCE = "$secret";

/** Reads a file; undefined for what is no agent. */
export function readDocument(text: string): AgentDocument | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(document) || document["kind"] !== KIND) return undefined;
  const { name } = document;
  const secrets = [...new Set(references(document))];
  return { document, name: typeof name === "string" ? name : "", secrets };
}

function* references(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* references(each);
  } else if (isObject(value)) {
    const name = value[REFERENCE];
    if (typeof name === "string") yield name;
    for (const each of Object.values(value)) yield* references(each);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
