import { getRouteApi } from "@tanstack/react-router";
import {
  Columns3Cog,
  Database,
  Download,
  Ellipsis,
  Filter,
  Plus,
  Trash2,
  TriangleAlert,
  Upload,
} from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { failureOf, useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { classes } from "../../../ui/classes";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Menu, MenuItem, MenuLine, MenuLink } from "../../../ui/menu/menu";
import { toast } from "../../../ui/toast/toasts";
import {
  arranged,
  type ColumnPlace,
  gridColumns,
  moved,
  resized,
  widthsOf,
} from "../grid/arrangement";
import { DataGrid, type GridColumn } from "../grid/data-grid";
import type { DatabaseRow } from "../queries";
import { FilterBar } from "./filter-bar";
import {
  exportAddress,
  sightOf,
  type Target,
  useDeleteRows,
  useInsertRows,
  useRows,
} from "./queries";
import {
  addressOf,
  BOOLEAN,
  booleanChoices,
  conditionsOf,
  DATE,
  type Field,
  filterOf,
  INTEGER,
  NUMBER,
  type Row,
} from "./rules";
import styles from "./table-screen.module.css";
import { tableText } from "./text";
import type { Text } from "./text.en";
import { useCells } from "./use-cells";

const page = getRouteApi("/shell/w/$workspaceId/databases/$databaseId");
const RowDialog = lazy(() => import("./row-dialog"));
const PasteDialog = lazy(() => import("./paste-dialog"));
const ImportDialog = lazy(() => import("./import-dialog"));
const ColumnsDialog = lazy(() => import("./columns-dialog"));
const Confirm = lazy(() => import("../../../ui/confirm/confirm"));
const FORMATS = ["csv", "xlsx", "jsonl"] as const;
const CREATED = "bstudio_create_time";
const USER = "uuid";

type Props = { workspaceId: string; table: DatabaseRow; target: Target; canWrite: boolean };
type Asked =
  | { kind: "row" }
  | { kind: "paste"; text: string }
  | { kind: "import" | "delete" | "columns" };

/** The rows of one side, to be filtered, sorted, edited, added and removed. */
export function DataTab({ workspaceId, table, target, canWrite }: Props) {
  const text = useText(tableText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const filter = filterOf(search.filter);
  const conditions = conditionsOf(useRested(filter));
  const [isFiltering, setFiltering] = useState(filter.conditions.length > 0);
  const [sight, setSight] = useState(sightOf(0, 0));
  // Within the same pages nothing changes here: the grid alone draws the rows that come.
  const onVisible = useCallback((from: number, to: number) => {
    const next = sightOf(from, to);
    setSight((old) => (old.first === next.first && old.last === next.last ? old : next));
  }, []);
  const order = search.sort
    ? { field: search.sort, isAscending: search.order !== "desc" }
    : undefined;
  const rows = useRows({ target, filter: conditions, order, ...sight });
  const [known, setKnown] = useState(0);
  if (rows.total !== undefined && rows.total !== known) setKnown(rows.total);
  const fields = table.fields.filter((field) => !field.is_system);
  const cells = useCells(target, fields, rows.rowAt);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const [last, setLast] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const insert = useInsertRows(target);
  const remove = useDeleteRows(target);
  const failure = failureOf(remove.error ?? insert.error);
  const made = useMemo(() => columnsOf(table.fields, text), [table.fields, text]);
  const [places, setPlaces] = useState(() => gridColumns.read(table.id));
  const columns = useMemo(() => arranged(made, places), [made, places]);
  const widths = useMemo(() => widthsOf(columns, places), [columns, places]);
  function arrange(next: readonly ColumnPlace[]): void {
    setPlaces(next);
    gridColumns.write(table.id, next);
  }
  function set(change: Partial<Record<keyof typeof search, string | undefined>>): void {
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  }
  function sortBy(key: string): void {
    if (order?.field !== key) set({ sort: key, order: undefined });
    else if (order.isAscending) set({ sort: key, order: "desc" });
    else set({ sort: undefined, order: undefined });
  }
  function choose(index: number, isRange: boolean): void {
    const next = new Map(chosen);
    const [from, to] = isRange ? [Math.min(last, index), Math.max(last, index)] : [index, index];
    const isOn = isRange || !next.has(idOf(rows.rowAt(index)) ?? "");
    for (let at = from; at <= to; at++) {
      const row = rows.rowAt(at);
      const id = idOf(row);
      if (!row || id === undefined) continue;
      if (isOn) next.set(id, row);
      else next.delete(id);
    }
    setLast(index);
    setChosen(next);
  }
  // Rows of end users would come back as nobody's: whoever removes those is asked before.
  const canUndo = table.rw_mode !== 1 || target.user !== "";
  function removeChosen(): void {
    const doomed = [...chosen.values()];
    remove.mutate([...chosen.keys()], {
      onSuccess: () => {
        setChosen(new Map());
        setAsked(undefined);
        const again = () => insert.mutate(doomed.map((row) => cellsOnly(row, fields)));
        toast(text.removed(doomed.length), canUndo ? { label: text.undo, run: again } : undefined);
      },
    });
  }
  function askRemoval(): void {
    if (chosen.size === 0 || !canWrite) return;
    if (canUndo) removeChosen();
    else setAsked({ kind: "delete" });
  }
  const queryFailure = failureOf(rows.error);
  const isEmpty = rows.total === 0 && !conditions;
  const add = canWrite && (
    <Button icon={<Plus size={16} />} onClick={() => setAsked({ kind: "row" })}>
      {text.addRow}
    </Button>
  );
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Button
          icon={<Filter size={16} />}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          {text.filter.title(filter.conditions.length)}
        </Button>
        {chosen.size > 0 && canWrite && (
          <Button icon={<Trash2 size={16} />} isLoading={remove.isPending} onClick={askRemoval}>
            {text.removeRows(chosen.size)}
          </Button>
        )}
        <div className={styles.end}>
          <span className={styles.count} role="status">
            {rows.total !== undefined && text.rows(rows.total)}
          </span>
          {canWrite && (
            <Button icon={<Upload size={16} />} onClick={() => setAsked({ kind: "import" })}>
              {text.import.verb}
            </Button>
          )}
          {add}
          <Menu
            align="end"
            trigger={<IconButton label={text.more} icon={<Ellipsis size={16} />} />}
          >
            {canWrite && (
              <>
                <MenuItem onSelect={() => setAsked({ kind: "paste", text: "" })}>
                  {text.paste.title}
                </MenuItem>
                <MenuLine />
              </>
            )}
            <MenuItem
              icon={<Columns3Cog size={16} />}
              onSelect={() => setAsked({ kind: "columns" })}
            >
              {text.columns.title}
            </MenuItem>
            <MenuLine />
            {FORMATS.map((format) => (
              <MenuLink
                key={format}
                icon={<Download size={16} />}
                link={<a href={exportAddress(target, format)} download />}
              >
                {text.export(format.toUpperCase())}
              </MenuLink>
            ))}
          </Menu>
        </div>
      </div>
      {isFiltering && (
        <FilterBar
          fields={fields}
          filter={filter}
          user={target.user}
          onChange={(next) => set({ filter: addressOf(next) })}
          onUser={(user) => set({ user: user || undefined })}
        />
      )}
      {queryFailure && <ErrorState failure={queryFailure} onRetry={() => void rows.refetch()} />}
      {isEmpty && (
        <EmptyState
          title={text.noRows}
          drawing={<Database size={40} strokeWidth={1} />}
          action={add}
        >
          {text.noRowsWhy}
        </EmptyState>
      )}
      {rows.total === 0 && conditions && (
        <EmptyState
          title={text.noMatch}
          action={<Button onClick={() => set({ filter: undefined })}>{text.filter.clear}</Button>}
        />
      )}
      {known > 0 && rows.total !== 0 && (
        <DataGrid
          key={JSON.stringify([conditions, order])}
          label={table.table_name}
          columns={columns}
          widths={widths}
          onResize={(key, width) => arrange(resized(columns, places, key, width))}
          resizeLabel={text.columns.widthOf}
          onMove={(key, to) => arrange(moved(columns, places, key, to))}
          count={known}
          textAt={(row, column) => cells.textAt(row, columns[column]?.key ?? "")}
          idAt={(row) => idOf(rows.rowAt(row))}
          markAt={(row, column) => cells.markAt(row, columns[column]?.key ?? "")}
          onVisible={onVisible}
          sort={order ? { key: order.field, isAscending: order.isAscending } : undefined}
          onSort={sortBy}
          sortLabel={text.sortBy}
          chosen={new Set(chosen.keys())}
          onChoose={choose}
          canWrite={canWrite}
          onEdit={(row, column, typed) => cells.edit(row, columns[column]?.key ?? "", typed)}
          onPaste={(pasted) => canWrite && setAsked({ kind: "paste", text: pasted })}
          onDelete={askRemoval}
        />
      )}
      {failure && (
        <div className={styles.status}>
          <ErrorLine failure={failure} />
        </div>
      )}
      {cells.problem && (
        <p role="alert" className={classes(styles.status, styles.problem)}>
          <TriangleAlert size={14} />
          {cells.problem}
        </p>
      )}
      <Suspense>
        {asked?.kind === "row" && (
          <RowDialog target={target} fields={fields} onClose={() => setAsked(undefined)} />
        )}
        {asked?.kind === "paste" && (
          <PasteDialog
            target={target}
            fields={fields}
            text={asked.text}
            onClose={() => setAsked(undefined)}
          />
        )}
        {asked?.kind === "import" && (
          <ImportDialog
            workspaceId={workspaceId}
            target={target}
            onClose={() => setAsked(undefined)}
          />
        )}
        {asked?.kind === "columns" && (
          <ColumnsDialog
            columns={columns}
            widths={widths}
            onResize={(key, width) => arrange(resized(columns, places, key, width))}
            onMove={(key, to) => arrange(moved(columns, places, key, to))}
            onReset={() => arrange([])}
            onClose={() => setAsked(undefined)}
          />
        )}
        {asked?.kind === "delete" && (
          <Confirm
            isOpen
            title={text.removeTitle(chosen.size)}
            verb={text.removeRows(chosen.size)}
            isPending={remove.isPending}
            failure={failureOf(remove.error)}
            onClose={() => setAsked(undefined)}
            onConfirm={removeChosen}
          >
            {text.removeWhy}
          </Confirm>
        )}
      </Suspense>
    </div>
  );
}

/** The fields of a table, and what it knows of each row besides. */
function columnsOf(fields: readonly Field[], text: Text): readonly GridColumn[] {
  const types: Readonly<Record<number, string>> = text.fields.types;
  const choices = booleanChoices(text.booleans);
  return [
    ...fields
      .filter((field) => !field.is_system)
      .map(({ name, type }) => ({
        key: name,
        label: name,
        note: types[type] ?? "",
        isNumber: type === INTEGER || type === NUMBER,
        isDate: type === DATE,
        ...(type === BOOLEAN && { choices }),
      })),
    { key: USER, label: text.user, isReadOnly: true },
    { key: CREATED, label: text.created, isReadOnly: true },
  ];
}

function idOf(row: Row | undefined): string | undefined {
  const id = row?.["id"];
  return typeof id === "string" ? id : undefined;
}

function cellsOnly(row: Row, fields: readonly { name: string }[]): Row {
  return Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? null]));
}
