import type { Document } from "../base/queries";

const WEB_PAGE = 1;
const TEXT = 2;
const FAST = 0;
const HOURS_OF_DAY = 24;

type Source = Pick<Document, "source_type">;

export function isWebPage({ source_type }: Source): boolean {
  return source_type === WEB_PAGE;
}

/** Where a document comes from: a page, a text that was typed, or else a file. */
export function sourceOf(document: Source): "web" | "text" | "file" {
  if (isWebPage(document)) return "web";
  return document.source_type === TEXT ? "text" : "file";
}

type Refresh = Pick<Document, "update_type" | "update_interval">;
type RefreshWords = { hours: (count: number) => string; days: (count: number) => string };

/** How often a web page is fetched again; nothing where it never is. */
export function refreshOf(document: Refresh, words: RefreshWords): string {
  const { update_type, update_interval: hours } = document;
  if (update_type === 0 || hours === 0) return "";
  return hours % HOURS_OF_DAY === 0 ? words.days(hours / HOURS_OF_DAY) : words.hours(hours);
}

type ReadingWords = {
  fast: string;
  accurate: string;
  tables: string;
  images: string;
  ocr: string;
};

/** How a document was read, in the words of the form that says it. */
export function readingOf(strategy: Document["parsing_strategy"], words: ReadingWords): string {
  if (strategy.parsing_type === FAST) return words.fast;
  return joined(
    words.accurate,
    strategy.table_extraction && words.tables,
    strategy.image_extraction && words.images,
    strategy.image_ocr && words.ocr,
  );
}

type CuttingWords = {
  automatic: string;
  custom: string;
  level: string;
  keepTitle: string;
  spaces: string;
  addresses: string;
  separators: Readonly<Record<string, string>>;
  atMost: (tokens: number) => string;
  overlap: (percent: number) => string;
  levels: (count: number) => string;
};

/** How a document was cut, in the words of the form that says it. */
export function cuttingOf(strategy: Document["chunk_strategy"], words: CuttingWords): string {
  const { separator, max_tokens, overlap, max_level } = strategy;
  switch (strategy.chunk_type) {
    case 1:
      return joined(
        words.custom,
        separator && (words.separators[separator] ?? separator),
        max_tokens && words.atMost(max_tokens),
        overlap && words.overlap(overlap),
        strategy.remove_extra_spaces && words.spaces,
        strategy.remove_urls_emails && words.addresses,
      );
    case 2:
      return joined(
        words.level,
        max_level && words.levels(max_level),
        strategy.save_title && words.keepTitle,
      );
    default:
      return words.automatic;
  }
}

function joined(...parts: readonly unknown[]): string {
  return parts.filter(Boolean).join(" · ");
}
