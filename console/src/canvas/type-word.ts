import { type Field, typeKeyOf } from "./model/field";
import type { Text } from "./text.en";

/** What a type is called: text, a list of whole numbers. */
export function typeWord(type: Field, text: Text): string {
  return keyWord(typeKeyOf(type), text);
}

export function keyWord(key: string, { types }: Text): string {
  const known = types[key];
  if (known) return known;
  // Kinds of files that nobody can choose here, and lists in lists.
  return (key.startsWith("list:") ? types["list:object"] : types["file:1"]) ?? key;
}
