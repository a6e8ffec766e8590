import { useText } from "../../../../text/catalogue";
import { Checkbox } from "../../../../ui/checkbox/checkbox";
import { ErrorWords } from "../../../../ui/error-state/error-line";
import { Select } from "../../../../ui/select/select";
import field from "../../../../ui/text-field/text-field.module.css";
import { Step } from "../step";
import { importText } from "../text";
import { CellProblems } from "./cell-problems";
import styles from "./columns.module.css";
import { type Change, type Column, cellsOf, hasKey, TYPES } from "./rules";
import type { TableDraft } from "./use-table-draft";

/** The columns of a file that shall be the table of its base. */
export function ColumnList({ draft }: { draft: TableDraft }) {
  const { table: text } = useText(importText);
  const { columns, check, onColumn } = draft;
  if (columns.length === 0) return null;
  return (
    <Step title={text.columns}>
      <p className={styles.note}>{text.columnsWhy}</p>
      {!hasKey(columns) && <ErrorWords>{text.noKey}</ErrorWords>}
      <ul className={styles.columns}>
        {columns.map((column) => (
          <li key={column.name} className={styles.column}>
            <ColumnFields column={column} onChange={(change) => onColumn(column.name, change)} />
            <CellProblems cells={cellsOf(check, column.name)} />
          </li>
        ))}
      </ul>
    </Step>
  );
}

type Props = { column: Column; onChange: (change: Change) => void };

function ColumnFields({ column, onChange }: Props) {
  const { table: text } = useText(importText);
  const { name, isTaken } = column;
  return (
    <>
      <div className={styles.line}>
        <span className={styles.name}>
          <Checkbox
            label={name}
            isChecked={isTaken}
            onChange={(next) => onChange({ isTaken: next })}
          />
        </span>
        {isTaken && (
          <Select
            label={text.typeOf(name)}
            isLabelHidden
            size="compact"
            value={TYPES.find((each) => each === String(column.type))}
            options={TYPES.map((value) => ({ value, label: text.types[value] }))}
            onChange={(value) => onChange({ type: Number(value) })}
          />
        )}
      </div>
      {isTaken && (
        <div className={styles.line}>
          <input
            aria-label={text.meaningOf(name)}
            placeholder={text.meaning}
            value={column.meaning}
            onChange={(event) => onChange({ meaning: event.target.value })}
            autoComplete="off"
            className={field.input}
          />
          <Checkbox
            label={text.key}
            isChecked={column.isKey}
            onChange={(isKey) => onChange({ isKey })}
          />
        </div>
      )}
    </>
  );
}
