import { ListTree, Play } from "lucide-react";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { failureOf } from "../../../api/list";
import type { SqlResult } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Kbd } from "../../../ui/kbd/kbd";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import { PlainTable } from "../../../ui/table/plain-table";
import type { DatabaseRow } from "../queries";
import { type Target, useExplainSql, useRunSql } from "./queries";
import { cellText, typeOf } from "./rules";
import { SqlPlanView } from "./sql-plan";
import { quoted } from "./sql-words";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const SqlEditor = lazy(() => import("./sql-editor"));

/** One statement on the table, as agents and workflows send them. */
export function SqlTab({ table, target }: { table: DatabaseRow; target: Target }) {
  const { sql: text, fields: fieldText } = useText(tableText);
  const [sql, setSql] = useState(() => `SELECT * FROM ${quoted(table.table_name)} LIMIT 20`);
  const run = useRunSql(target);
  const explain = useExplainSql(target);
  const failure = failureOf(run.error ?? explain.error);
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (!sql.trim()) return;
    explain.reset();
    run.mutate(sql);
  }
  function show(): void {
    run.reset();
    explain.mutate(sql);
  }
  return (
    <>
      <form onSubmit={submit} className={styles.sql}>
        <div className={styles.form}>
          <Suspense fallback={<Skeleton width="100%" height={96} />}>
            <SqlEditor
              label={text.label}
              first={sql}
              names={[
                { name: table.table_name, note: text.table, isTable: true },
                ...table.fields.map((field) => ({
                  name: field.name,
                  note: fieldText.types[typeOf(field)],
                })),
              ]}
              onChange={setSql}
              onRun={submit}
            />
          </Suspense>
          <p className={styles.note}>{text.hint}</p>
        </div>
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
          <Button
            icon={<ListTree size={16} />}
            disabled={!sql.trim()}
            isLoading={explain.isPending}
            onClick={show}
          >
            {text.explain}
          </Button>
          <Kbd keys="mod+enter" />
        </div>
        {failure && <ErrorLine failure={failure} />}
      </form>
      {(run.data ?? explain.data) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section tabIndex={0} aria-label={text.result} className={styles.result}>
          {run.data && <Result result={run.data} />}
          {explain.data && <SqlPlanView plan={explain.data} />}
        </section>
      )}
    </>
  );
}

function Result({ result }: { result: SqlResult }) {
  const { sql: text } = useText(tableText);
  const { columns, rows } = result;
  const said = result.is_truncated ? text.first(rows.length) : text.rows(rows.length);
  if (columns.length === 0) return <p role="status">{text.affected(result.affected)}</p>;
  return (
    <>
      <p role="status" className={styles.note}>
        {said}
      </p>
      <PlainTable
        label={said}
        columns={columns.map((name) => ({ name }))}
        rows={rows.map((row) => columns.map((name) => ({ text: cellText(row[name]) })))}
      />
    </>
  );
}
