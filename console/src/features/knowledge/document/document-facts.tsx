import { useText } from "../../../text/catalogue";
import { formatBytes, formatExact, formatNumber } from "../../../text/formats";
import { SideSheet } from "../../../ui/dialog/side-sheet";
import { useTold } from "../../../ui/error-state/reasons";
import { type Fact, Facts } from "../../../ui/facts/facts";
import { TagList } from "../../../ui/tag-list/tag-list";
import type { Document } from "../base/queries";
import { spelledTags } from "../base/tags";
import { baseText } from "../base/text";
import { importText } from "../import/text";
import styles from "./document-facts.module.css";
import { cuttingOf, isWebPage, readingOf, refreshOf, sourceOf } from "./facts";
import { documentText } from "./text";

const TEXT = 0;

type Props = { document: Document; onClose: () => void };

/** Where a document comes from, what was made of it and how, and when. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function DocumentFacts({ document, onClose }: Props) {
  const text = useText(documentText);
  const { cutting, reading } = useText(importText);
  const { columns } = useText(baseText).documents;
  const told = useTold();
  const tags = spelledTags(document.tags);
  const facts: readonly Fact[] = [
    [columns.source, <Source key="source" document={document} />],
    [text.facts.kind, document.type.toUpperCase()],
    [text.facts.size, formatBytes(document.size)],
    [text.facts.failed, told(document.fail_code, document.fail_reason)],
    [columns.characters, formatNumber(document.char_count)],
    [columns.slices, formatNumber(document.slice_count)],
    [columns.hits, formatNumber(document.hit_count)],
    [columns.tags, tags.length > 0 && <TagList key="tags" tags={tags} />],
    [
      text.facts.reading,
      document.format_type === TEXT && readingOf(document.parsing_strategy, reading),
    ],
    [
      text.facts.cutting,
      document.format_type === TEXT && cuttingOf(document.chunk_strategy, { ...cutting, ...text }),
    ],
    [text.facts.refresh, refreshOf(document, text)],
    [text.facts.made, formatExact(document.created_at)],
    [columns.updated, formatExact(document.updated_at)],
  ];
  return (
    <SideSheet isOpen onClose={onClose} title={text.details}>
      <div className={styles.sheet}>
        <Facts facts={facts} />
      </div>
    </SideSheet>
  );
}

function Source({ document }: { document: Document }) {
  const { sources } = useText(baseText).documents;
  if (!isWebPage(document)) return sources[sourceOf(document)];
  return (
    <a
      href={document.url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={styles.link}
    >
      {document.url}
    </a>
  );
}
