import { isRecord, readRecord } from "../../json/json";
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
  const document = readRecord(text);
  if (document?.["kind"] !== KIND) return undefined;
  const { name } = document;
  const secrets = [...new Set(references(document))];
  return { document, name: typeof name === "string" ? name : "", secrets };
}

function* references(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* references(each);
  } else if (isRecord(value)) {
    const name = value[REFERENCE];
    if (typeof name === "string") yield name;
    for (const each of Object.values(value)) yield* references(each);
  }
}
