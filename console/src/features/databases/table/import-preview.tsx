import type { ImportPreview } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { formatNames } from "../../../text/formats";
import { useTold } from "../../../ui/error-state/reasons";
import { PlainTable } from "../../../ui/table/plain-table";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

/** Whether all of a file can be added. */
export function fits({ columns, missing, total, wrong_rows }: ImportPreview): boolean {
  return (
    total > 0 && wrong_rows === 0 && missing.length === 0 && columns.every((each) => each.is_field)
  );
}

type Props = { fileName: string; preview: ImportPreview };

/** The first rows of a file, with the cells that do not fit, before anything is added. */
export function ImportPreviewView({ fileName, preview }: Props) {
  const { import: text } = useText(tableText);
  const told = useTold();
  const { columns, rows, total, missing } = preview;
  const problems = preview.problems.map((each) => ({ ...each, message: told("", each.message) }));
  const unknown = columns.filter((each) => !each.is_field).map((each) => each.name);
  const wrong = new Map(problems.map((each) => [`${each.row} ${each.column}`, each.message]));
  const lines = [
    ...(total === 0 ? [text.noRows] : []),
    ...(unknown.length > 0 ? [text.unknown(formatNames(unknown))] : []),
    ...(missing.length > 0 ? [text.missing(formatNames(missing))] : []),
    ...problems.map((each) => text.line(each.row, each.message)),
  ];
  const hidden = preview.wrong_rows - new Set(problems.map((each) => each.row)).size;
  return (
    <section aria-label={text.preview} className={styles.form}>
      <p>
        <b>{fileName}</b> <span className={styles.note}>{text.rows(total)}</span>
      </p>
      {rows.length > 0 && (
        <PlainTable
          isShort
          label={fileName}
          columns={columns.map(({ name, is_field }) => ({ name, isWrong: !is_field }))}
          rows={rows.map((row, index) =>
            columns.map(({ name }, at) => ({
              text: row[at] ?? "",
              problem: wrong.get(`${index + 1} ${name}`),
            })),
          )}
        />
      )}
      {total > rows.length && <p className={styles.note}>{text.firstRows(rows.length)}</p>}
      {lines.length > 0 && (
        <ul aria-label={text.problems} className={styles.problems}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {hidden > 0 && <li>{text.more(hidden)}</li>}
        </ul>
      )}
    </section>
  );
}
