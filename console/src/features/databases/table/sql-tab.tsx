import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import type { SqlResult } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Kbd } from "../../../ui/kbd/kbd";
import { TextArea } from "../../../ui/text-field/text-area";
import type { DatabaseRow } from "../queries";
import { type Target, useRunSql } from "./queries";
import { cellText } from "./rules";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

/** One statement on the table, as agents and workflows send them. */
export function SqlTab({ table, target }: { table: DatabaseRow; target: Target }) {
  const { sql: text } = useText(tableText);
  const [sql, setSql] = useState(`SELECT * FROM ${table.table_name} LIMIT 20`);
  const run = useRunSql(target);
  const failure = failureOf(run.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (sql.trim()) run.mutate(sql);
  }
  return (
    <>
      <form onSubmit={submit} className={styles.sql}>
        <TextArea
          label={text.label}
          hint={text.hint}
          isCode
          value={sql}
          onChange={setSql}
          spellCheck={false}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <div className={styles.line}>
          <Button
            kind="primary"
            type="submit"
            icon={<Play size={16} />}
            disabled={!sql.trim()}
            isLoading={run.isPending}
          >
            {text.run}
          </Button>
          <Kbd keys="mod+enter" />
        </div>
        {failure && <ErrorLine failure={failure} />}
      </form>
      {run.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section tabIndex={0} aria-label={text.result} className={styles.result}>
          <Result result={run.data} />
        </section>
      )}
    </>
  );
}

function Result({ result }: { result: SqlResult }) {
  const { sql: text } = useText(tableText);
  const { columns, rows } = result;
  if (columns.length === 0) return <p role="status">{text.affected(result.affected)}</p>;
  return (
    <>
      <p role="status" className={styles.note}>
        {result.is_truncated ? text.first(rows.length) : text.rows(rows.length)}
      </p>
      <div className={styles.preview}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of a result is its place
              <tr key={index}>
                {columns.map((name) => (
                  <td key={name}>{cellText(row[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
