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

/** The cards that a stored answer carries as JSON; none where that cannot be read. */
export function sourcesIn(cards: string): Source[] {
  const read = readJson(cards);
  return Array.isArray(read) ? read.map((each) => sourceOf(asRecord(each))) : [];
}
