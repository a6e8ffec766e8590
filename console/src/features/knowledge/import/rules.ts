import type { ChunkStrategyBody, DocumentBody, ParsingStrategyBody } from "../../../api/schema";

const MEGABYTE = 1_000_000;
const IMAGES = 2;

/** What the server takes as one document of a base of some kind, rounded down. */
export function mostBytes(kind: number): number {
  return (kind === IMAGES ? 20 : 100) * MEGABYTE;
}

/** How files are read. */
export type Reading = { isAccurate: boolean; tables: boolean; images: boolean; ocr: boolean };

/** How documents are cut. */
export type Cutting = {
  kind: "automatic" | "custom" | "level";
  separator: string;
  size: number;
  overlap: number;
  depth: number;
  keepsTitle: boolean;
  joinsSpaces: boolean;
  dropsAddresses: boolean;
};

/** What becomes of a document on its way in. */
export type Settings = { reading: Reading; cutting: Cutting };

export type Policy = "keep" | "skip" | "replace";

export const FIRST_READING: Reading = { isAccurate: true, tables: true, images: false, ocr: true };
export const FIRST_CUTTING: Cutting = {
  kind: "automatic",
  separator: "\n\n",
  size: 800,
  overlap: 10,
  depth: 3,
  keepsTitle: true,
  joinsSpaces: true,
  dropsAddresses: false,
};

export function readingBody(reading: Reading): ParsingStrategyBody {
  if (!reading.isAccurate) return { parsing_type: 0 };
  return {
    parsing_type: 1,
    table_extraction: reading.tables,
    image_extraction: reading.images,
    image_ocr: reading.ocr,
  };
}

export function cuttingBody(cutting: Cutting): ChunkStrategyBody {
  switch (cutting.kind) {
    case "automatic":
      return { chunk_type: 0 };
    case "custom":
      return {
        chunk_type: 1,
        separator: cutting.separator,
        max_tokens: cutting.size,
        overlap: cutting.overlap,
        remove_extra_spaces: cutting.joinsSpaces,
        remove_urls_emails: cutting.dropsAddresses,
      };
    case "level":
      return { chunk_type: 2, max_level: cutting.depth, save_title: cutting.keepsTitle };
  }
}

/** Something to take in. */
export type Source =
  | { kind: "file"; id: string; name: string; fileId: string }
  | { kind: "web"; id: string; name: string; url: string; hours: number }
  | { kind: "text"; id: string; name: string; body: string }
  | { kind: "document"; id: string; name: string };

const FILE = 5;
const WEB = 1;
const TEXT = 2;

export function sourceBody(source: Source): DocumentBody {
  const { name } = source;
  switch (source.kind) {
    case "file":
      return { name, source_info: { source_file_id: source.fileId, document_source: FILE } };
    case "web":
      return {
        name,
        source_info: { web_url: source.url, document_source: WEB },
        ...(source.hours > 0 && {
          update_rule: { update_type: 1, update_interval: source.hours },
        }),
      };
    case "text":
      return {
        name,
        source_info: { custom_content: source.body, file_type: "md", document_source: TEXT },
      };
    case "document":
      return { name, source_info: { source_document_id: source.id } };
  }
}

/**
 * Sources that are taken in together, by their settings. Those without settings of their own are the
 * last: a base goes on with what it was cut by at the end.
 */
export function groupsOf(
  sources: readonly Source[],
  own: ReadonlyMap<string, Settings>,
  common: Settings,
): readonly { settings: Settings; sources: readonly Source[] }[] {
  const groups = new Map<string, { settings: Settings; sources: Source[] }>();
  for (const source of sources.filter(({ id }) => own.has(id))) {
    const settings = own.get(source.id) ?? common;
    const key = JSON.stringify([readingBody(settings.reading), cuttingBody(settings.cutting)]);
    const group = groups.get(key) ?? { settings, sources: [] };
    group.sources.push(source);
    groups.set(key, group);
  }
  const others = sources.filter(({ id }) => !own.has(id));
  return [
    ...groups.values(),
    ...(others.length > 0 ? [{ settings: common, sources: others }] : []),
  ];
}

/** Addresses of a text, a line each; those that are none come apart. */
export function addressesOf(text: string): { good: string[]; wrong: string[] } {
  const lines = [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
  const good = lines.filter(isAddress);
  return { good, wrong: lines.filter((line) => !good.includes(line)) };
}

function isAddress(line: string): boolean {
  return URL.canParse(line) && /^https?:$/.test(new URL(line).protocol);
}

/** What a web page is called until somebody renames it: its address without the scheme. */
export function pageName(url: string): string {
  const { host, pathname } = new URL(url);
  return (host + pathname).replace(/\/$/, "").slice(0, 255);
}
