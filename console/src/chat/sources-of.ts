import { asRecord, readJson } from "../json/json";
import { type Fields, numberAt, textAt } from "./fields";
import type { Source } from "./turn";

/** A source as its card tells it. */
export function sourceOf(card: Fields): Source {
  return {
    n: numberAt(card, "n"),
    documentId: textAt(card, "document_id"),
    name: textAt(card, "document_name"),
    page: numberAt(card, "page") || undefined,
    quote: textAt(card, "quote"),
    url: textAt(card, "url"),
  };
}

/** A text without the list of its sources at its end, which stands below it as cards. */
export function unlisted(text: string, sources: readonly Source[]): string {
  const at = text.lastIndexOf("\n\n");
  const lines = text.slice(at + 2).split("\n");
  const isList =
    at >= 0 &&
    lines.length === sources.length &&
    lines.every((line, index) => line.startsWith(`[${sources[index]?.n}] `));
  return isList ? text.slice(0, at) : text;
}

/** The cards that a stored answer carries as JSON; none where that cannot be read. */
export function sourcesIn(cards: string): Source[] {
  const read = readJson(cards);
  return Array.isArray(read) ? read.map((each) => sourceOf(asRecord(each))) : [];
}
