import { useText } from "../../../../text/catalogue";
import { formatNames } from "../../../../text/formats";
import { ErrorWords } from "../../../../ui/error-state/error-line";
import { Step } from "../step";
import { importText } from "../text";
import { CellProblems } from "./cell-problems";
import styles from "./columns.module.css";
import { cellsOf, TYPES } from "./rules";
import type { TableDraft } from "./use-table-draft";

/** The columns of the table that a file is added to, and what the file has otherwise. */
export function KnownColumns({ draft }: { draft: TableDraft }) {
  const { table: text } = useText(importText);
  const { known, check } = draft;
  return (
    <Step title={text.columns}>
      <p className={styles.note}>{text.knownWhy}</p>
      {check && check.missing_columns.length > 0 && (
        <ErrorWords>{text.missing(formatNames(check.missing_columns))}</ErrorWords>
      )}
      {check && check.unknown_columns.length > 0 && (
        <ErrorWords>{text.unknown(formatNames(check.unknown_columns))}</ErrorWords>
      )}
      <ul className={styles.columns}>
        {known.map((column) => {
          const type = TYPES.find((each) => each === String(column.column_type)) ?? "1";
          return (
            <li key={column.column_name} className={styles.column}>
              <div className={styles.line}>
                <span className={styles.name}>{column.column_name}</span>
                <span className={styles.note}>
                  {column.is_semantic ? text.keyOf(text.types[type]) : text.types[type]}
                </span>
              </div>
              <CellProblems cells={cellsOf(check, column.column_name)} />
            </li>
          );
        })}
      </ul>
    </Step>
  );
}
