import { useText } from "../../../../text/catalogue";
import { useTold } from "../../../../ui/error-state/reasons";
import { importText } from "../text";
import styles from "./columns.module.css";
import type { Cell } from "./rules";

const MOST = 3;

/** The first cells of a column that do not fit, at the column. */
export function CellProblems({ cells }: { cells: readonly Cell[] }) {
  const { table: text } = useText(importText);
  const told = useTold();
  if (cells.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {cells.slice(0, MOST).map(({ row, value, reason }) => (
        <li key={row}>{text.problem(row, value, told("", reason))}</li>
      ))}
      {cells.length > MOST && <li>{text.more(cells.length - MOST)}</li>}
    </ul>
  );
}
