/** What is known of a value of which nothing is: texts that may be JSON, and objects with names. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether it is an object with names: no list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that it is; an empty one where it is none. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The value that a text says; nothing where it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a text says; nothing where it says none. */
export function readRecord(text: string): Record<string, unknown> | undefined {
  const read = readJson(text);
  return isRecord(read) ? read : undefined;
}

export function isJson(text: string): boolean {
  return readJson(text) !== undefined;
}
