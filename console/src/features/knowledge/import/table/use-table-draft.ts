import { useMemo, useState } from "react";
import { failureOf, useRested } from "../../../../api/list";
import type { ColumnBody, TableSheetBody } from "../../../../api/schema";
import type { Source } from "../rules";
import { type TableColumn, useTableCheck, useTableColumns, useTableSchema } from "./queries";
import {
  type Change,
  type Check,
  type Column,
  columnBodies,
  columnsOf,
  hasKey,
  moved,
  newDraft,
  type Place,
  type Schema,
  sheetBody,
} from "./rules";

const REST_MS = 300;
const NONE: readonly TableColumn[] = [];

/** What goes with the file of a table. */
export type TableOrder = { table_sheet: TableSheetBody; table_meta: ColumnBody[] };

export type TableDraft = {
  place: Place;
  sheets: Schema["sheets"];
  /** Of the table that is there already; the file has to have them. */
  known: readonly TableColumn[];
  columns: readonly Column[];
  schema: Schema | undefined;
  check: Check | undefined;
  failure: ReturnType<typeof failureOf>;
  onPlace: (change: Partial<Place>) => void;
  onColumn: (name: string, change: Change) => void;
  /** Nothing while it is not certain that all of the file can be taken in. */
  order: TableOrder | undefined;
};

/** How a file becomes a table: guessed by the server, changed by hand, checked before it starts. */
export function useTableDraft(
  baseId: string,
  isTable: boolean,
  source: Source | undefined,
): TableDraft {
  const file = source?.name ?? "";
  const first = useMemo(() => newDraft(file), [file]);
  const [changed, setChanged] = useState(first);
  const draft = changed.file === file ? changed : first;
  const rested = useRested(draft, REST_MS);
  const place = rested.file === file ? rested.place : undefined;
  const existing = useTableColumns(baseId, isTable);
  const known = existing.data ?? NONE;
  const read = useTableSchema(baseId, isTable ? source : undefined, place);
  const [seen, setSeen] = useState<{ id: string; sheets: Schema["sheets"] }>();
  const schema = read.data;
  if (source && schema && seen?.sheets !== schema.sheets) {
    setSeen({ id: source.id, sheets: schema.sheets });
  }
  const columns = schema ? columnsOf(schema, draft.changes) : [];
  const wanted = useMemo(
    () => wantedColumns(known, schema, rested.changes),
    [known, schema, rested.changes],
  );
  const checked = useTableCheck(
    baseId,
    isTable ? source : undefined,
    place,
    existing.data ? wanted : undefined,
  );
  const isCertain = draft === rested && checked.data?.valid === true;
  return {
    place: draft.place,
    // Also where the lines chosen in it hold no table.
    sheets: seen && seen.id === source?.id ? seen.sheets : [],
    known,
    columns,
    schema,
    check: checked.data,
    failure: failureOf(existing.error ?? read.error ?? checked.error),
    onPlace: (change) => setChanged({ ...draft, place: moved(draft.place, change) }),
    onColumn: (name, change) => {
      const before = draft.changes.get(name);
      const changes = new Map([...draft.changes, [name, { ...before, ...change }]]);
      setChanged({ ...draft, changes });
    },
    order:
      isCertain && wanted ? { table_sheet: sheetBody(draft.place), table_meta: wanted } : undefined,
  };
}

/** The columns to be; nothing while they make no table. */
function wantedColumns(
  known: readonly TableColumn[],
  schema: Schema | undefined,
  changes: ReadonlyMap<string, Change>,
): ColumnBody[] | undefined {
  if (!schema) return undefined;
  if (known.length > 0) return [...known];
  const columns = columnsOf(schema, changes);
  return hasKey(columns) ? columnBodies(columns) : undefined;
}
