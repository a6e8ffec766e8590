import { useState } from "react";
import { useText } from "../../../../text/catalogue";
import { Checkbox } from "../../../../ui/checkbox/checkbox";
import { ErrorState } from "../../../../ui/error-state/error-state";
import { useTold } from "../../../../ui/error-state/reasons";
import { PlainTable } from "../../../../ui/table/plain-table";
import styles from "../preview-pane.module.css";
import type { Source } from "../rules";
import { importText } from "../text";
import { Waiting } from "../waiting";
import { shownRows } from "./rules";
import type { TableDraft } from "./use-table-draft";

type Props = { source: Source | undefined; draft: TableDraft };

/** The first rows of a file as the table will have them, with the cells that do not fit. */
export function RowsPane({ source, draft }: Props) {
  const { table: text } = useText(importText);
  const told = useTold();
  const [isOnlyWrong, setOnlyWrong] = useState(false);
  const { schema, check, place, columns, failure } = draft;
  if (!source) return <p className={styles.note}>{text.none}</p>;
  if (failure) return <ErrorState failure={failure} />;
  if (!schema) return <Waiting />;
  const left = new Set(columns.filter((each) => !each.isTaken).map((each) => each.name));
  const rows = shownRows(schema, place, check);
  const wrong = check?.cells.length ?? 0;
  const shown = isOnlyWrong && wrong > 0 ? rows.filter((row) => row.wrong.size > 0) : rows;
  return (
    <>
      <header className={styles.bar}>
        <h2 className={styles.name}>{source.name}</h2>
        <span className={styles.facts}>{text.rows(schema.total)}</span>
        <span role="status" className={wrong > 0 ? styles.bad : styles.facts}>
          {check?.valid && text.fits}
          {wrong > 0 && text.wrong(wrong)}
        </span>
        {wrong > 0 && (
          <span className={styles.end}>
            <Checkbox label={text.onlyWrong} isChecked={isOnlyWrong} onChange={setOnlyWrong} />
          </span>
        )}
      </header>
      <div className={styles.rows}>
        <PlainTable
          label={text.preview}
          columns={[
            { name: text.line, isNumber: true },
            ...schema.table_meta.map(({ column_name: name }) => ({
              name,
              isFaint: left.has(name),
            })),
          ]}
          rows={shown.map(({ line, cells, wrong: reasons }) => [
            { text: String(line) },
            ...schema.table_meta.map(({ column_name: name }, at) => {
              const reason = reasons.get(name);
              return { text: cells[at] ?? "", ...(reason && { problem: told("", reason) }) };
            }),
          ])}
        />
        {schema.total > schema.rows.length && (
          <p className={styles.head}>{text.firstRows(schema.rows.length)}</p>
        )}
      </div>
    </>
  );
}
