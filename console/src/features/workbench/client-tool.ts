import { isJson, readRecord } from "../../json/json";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const EMPTY = { type: "object", properties: {}, required: [] };

type Parameters = Readonly<Record<string, unknown>>;

export type BadTool = {
  readonly field: "name" | "parameters";
  readonly why: "name" | "taken" | "json" | "object";
};

/** The schema of the arguments as it is written; of a new tool one without any. */
export function firstParameters(parameters: Parameters | undefined): string {
  return JSON.stringify(parameters ?? EMPTY, undefined, 2);
}

/** The schema that a text has; nothing where it has none of an object. */
export function parametersIn(text: string): Record<string, unknown> | undefined {
  const read = readRecord(text);
  return read?.["type"] === "object" ? read : undefined;
}

/** The first thing that the server would refuse of a tool. */
export function badTool(
  name: string,
  schema: string,
  taken: readonly string[],
): BadTool | undefined {
  if (!NAME.test(name)) return { field: "name", why: "name" };
  if (taken.includes(name)) return { field: "name", why: "taken" };
  if (parametersIn(schema)) return undefined;
  return { field: "parameters", why: isJson(schema) ? "object" : "json" };
}
