import styles from "./plain-table.module.css";

type PlainColumn = {
  name: string;
  isNumber?: boolean;
  /** What the head says is not so: the column has no place where it should go. */
  isWrong?: boolean;
  /** It is there, and is not taken. */
  isFaint?: boolean;
};

type PlainCell = {
  text: string;
  /** Why it cannot be taken. */
  problem?: string | undefined;
};

type Props = {
  label: string;
  columns: readonly PlainColumn[];
  rows: readonly (readonly PlainCell[])[];
  /** Scrolls by itself early, where other things stand below it. */
  isShort?: boolean;
};

/** A few rows to be looked at, as a file or an answer has them; `Table` is for lists of things. */
export function PlainTable({ label, columns, rows, isShort }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section tabIndex={0} aria-label={label} className={styles.box} data-is-short={isShort}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                data-is-number={column.isNumber}
                data-is-wrong={column.isWrong}
                data-is-faint={column.isFaint}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row of a file is its place
            <tr key={index}>
              {columns.map((column, at) => {
                const cell = cells[at];
                return (
                  <td
                    key={column.name}
                    title={cell?.problem}
                    data-is-number={column.isNumber}
                    data-is-wrong={cell?.problem !== undefined || undefined}
                    data-is-faint={column.isFaint}
                  >
                    {cell?.text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
