import { Download, Pencil, Plus } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf, useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { ListBody } from "../../../ui/list/list-body";
import { RowMenu } from "../../../ui/list/row-menu";
import { Menu, MenuItem, MenuLink } from "../../../ui/menu/menu";
import type { Column } from "../../../ui/table/table";
import type { Document } from "../base/queries";
import { NoSlices } from "./no-slices";
import { type Slice, useDeleteSlice, useFollowSlices, useSlices } from "./queries";
import { numberOf, type Row, rowOf, shownCell } from "./rows";
import styles from "./rows-pane.module.css";
import { SliceState } from "./slice-state";
import { documentText } from "./text";

const RowDialog = lazy(() => import("./row-dialog"));
const NUMBERS = new Set([2, 4]);
const FORMATS = ["xlsx", "csv", "jsonl"] as const;
const COLUMN_PX = 148;
const DONE = 1;

/** The rows of a table, with the place of each in its file. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function RowsPane({
  document,
  canWrite,
}: {
  document: Document;
  canWrite: boolean;
}) {
  const text = useText(documentText);
  const [typed, setTyped] = useState("");
  const list = useSlices(document.id, document.status, useRested(typed) || undefined);
  useFollowSlices(document.id, list.rows);
  const [edited, setEdited] = useState<Row | "new">();
  const [doomed, setDoomed] = useState<Row>();
  const remove = useDeleteSlice(document.id);
  const rows = useMemo(() => list.rows.map(rowOf), [list.rows]);
  const columns = useColumns(document, list.rows);
  return (
    <>
      <div className={styles.box}>
        <div style={{ minWidth: columns.length * COLUMN_PX }} className={styles.rows}>
          <ListBody
            title={text.rows.title}
            search={{ label: text.rows.search, value: typed, onChange: setTyped }}
            views={
              <span className={styles.tools}>
                <Exports document={document} />
                {canWrite && (
                  <Button icon={<Plus size={16} />} onClick={() => setEdited("new")}>
                    {text.rows.add}
                  </Button>
                )}
              </span>
            }
            isNarrowed={typed !== ""}
            onClearFilters={() => setTyped("")}
            noMatch={{ title: text.rows.noMatch, clear: text.clear }}
            empty={<NoSlices document={document} />}
            list={{ ...list, rows }}
            columns={columns}
            keyOf={({ slice }) => slice.id}
            {...(canWrite && {
              menu: (row: Row) => (
                <RowMenu
                  name={text.row(numberOf(row))}
                  id={row.slice.id}
                  onDelete={() => setDoomed(row)}
                >
                  <MenuItem
                    icon={<Pencil size={16} />}
                    shortcut="e"
                    onSelect={() => setEdited(row)}
                  >
                    {text.edit}
                  </MenuItem>
                </RowMenu>
              ),
              onKey: (key: string, row: Row) => {
                if (key === "e" || key === "Enter") setEdited(row);
                if (key === "Delete") setDoomed(row);
              },
            })}
          />
        </div>
      </div>
      <Suspense>
        {edited && (
          <RowDialog
            document={document}
            row={edited === "new" ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed.slice}
          name={text.row(numberOf(doomed))}
          words={{ ...text, removeVerb: text.rows.remove, removeWhy: text.rows.removeWhy }}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useColumns(document: Document, slices: readonly Slice[]): readonly Column<Row>[] {
  const text = useText(documentText);
  const { table_meta } = document;
  const hasSheets = slices.some((slice) => slice.sheet !== "");
  const isAllDone = slices.every((slice) => slice.status === DONE);
  return useMemo(() => {
    const place: Column<Row> = {
      key: "place",
      label: hasSheets ? text.rows.sheetAndRow : text.rows.place,
      width: hasSheets ? "minmax(88px, 160px)" : "56px",
      isNumber: !hasSheets,
      render: ({ slice }) => [slice.sheet, slice.row].filter(Boolean).join(" · "),
    };
    const state: Column<Row> = {
      key: "state",
      label: text.rows.state,
      width: "minmax(96px, 140px)",
      render: ({ slice }) => <SliceState slice={slice} />,
    };
    const cells = table_meta.map(
      (column): Column<Row> => ({
        key: column.id,
        label: column.column_name,
        width: "minmax(96px, 1fr)",
        isNumber: NUMBERS.has(column.column_type),
        render: (row) => {
          const shown = shownCell(row.cells[column.column_name]);
          return <span title={shown}>{shown}</span>;
        },
      }),
    );
    return isAllDone ? [place, ...cells] : [place, ...cells, state];
  }, [text, table_meta, hasSheets, isAllDone]);
}

/** The whole table as a file that makes it again. */
function Exports({ document }: { document: Document }) {
  const text = useText(documentText);
  return (
    <Menu align="end" trigger={<Button icon={<Download size={16} />}>{text.rows.exportAs}</Button>}>
      {FORMATS.map((format) => (
        <MenuLink
          key={format}
          link={<a href={`/admin/v1/documents/${document.id}/export?format=${format}`} download />}
        >
          {format.toUpperCase()}
        </MenuLink>
      ))}
    </Menu>
  );
}
