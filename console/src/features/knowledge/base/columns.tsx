import { Link } from "@tanstack/react-router";
import { FileText, Globe, Image, Sheet, Type } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../../text/catalogue";
import { formatCompact, formatNumber } from "../../../text/formats";
import { useTold } from "../../../ui/error-state/reasons";
import { NameCell } from "../../../ui/table/name-cell";
import type { Column } from "../../../ui/table/table";
import { TagList } from "../../../ui/tag-list/tag-list";
import { Tile } from "../../../ui/tile/tile";
import { Ago } from "../../../ui/time/ago";
import { sourceOf } from "../document/facts";
import type { Base } from "../queries";
import styles from "./columns.module.css";
import { DocumentState } from "./document-state";
import type { Document, Progress } from "./queries";
import { spelledTags } from "./tags";
import { baseText } from "./text";

const TABLE = 1;
const TABLES = new Set(["csv", "xlsx", "xls", "json"]);

export function useColumns(
  workspaceId: string,
  base: Base,
  progress: ReadonlyMap<string, Progress>,
): readonly Column<Document>[] {
  const { documents: text } = useText(baseText);
  const told = useTold();
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (document) => (
          <NameCell
            tile={<Tile name={document.name} icon={<Sign document={document} />} />}
            name={
              <Link
                to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
                params={{ workspaceId, baseId: base.id, documentId: document.id }}
                tabIndex={-1}
                className={styles.name}
              >
                {document.name}
              </Link>
            }
            note={told(document.fail_code, document.fail_reason) || document.url}
          />
        ),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(124px, 184px)",
        render: (document) => (
          <DocumentState document={document} progress={progress.get(document.id)} />
        ),
      },
      {
        key: "source",
        label: text.columns.source,
        width: "88px",
        leaveOut: "large",
        render: (document) => text.sources[sourceOf(document)],
      },
      {
        key: "tags",
        label: text.columns.tags,
        width: "minmax(96px, 160px)",
        leaveOut: "medium",
        render: (document) => <TagList tags={spelledTags(document.tags)} />,
      },
      {
        key: "slices",
        label: base.format_type === TABLE ? text.columns.rows : text.columns.slices,
        width: "72px",
        isNumber: true,
        leaveOut: "narrow",
        render: (document) => formatNumber(document.slice_count),
      },
      {
        key: "characters",
        label: text.columns.characters,
        width: "88px",
        isNumber: true,
        leaveOut: "medium",
        render: (document) => (
          <span title={formatNumber(document.char_count)}>
            {formatCompact(document.char_count)}
          </span>
        ),
      },
      {
        key: "hits",
        label: text.columns.hits,
        width: "72px",
        isNumber: true,
        leaveOut: "medium",
        render: (document) => formatNumber(document.hit_count),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (document) => <Ago at={document.updated_at} />,
      },
    ],
    [text, told, workspaceId, base.id, base.format_type, progress],
  );
}

function Sign({ document }: { document: Document }) {
  if (document.format_type === 2) return <Image size={14} />;
  if (document.source_type === 1) return <Globe size={14} />;
  if (document.source_type === 2) return <Type size={14} />;
  return TABLES.has(document.type) ? <Sheet size={14} /> : <FileText size={14} />;
}
