import { asRecord, type JsonRecord } from "../json/json";
/** What an event or a stored message says under a name, if it is of the expected kind. */
export type Fields = JsonRecord;

export function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

export function numberAt(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === "number" ? value : 0;
}

export function flagAt(fields: Fields, name: string): boolean {
  return fields[name] === true;
}

export function recordAt(fields: Fields, name: string): Fields {
  return asRecord(fields[name]);
}

export function recordsAt(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map(asRecord) : [];
}

export function textsAt(fields: Fields, name: string): string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
