import { Fragment } from "react";
import type { SqlPlan } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { formatNames } from "../../../text/formats";
import styles from "./sql-plan.module.css";
import { tableText } from "./text";

const KINDS = ["select", "insert", "update", "delete"] as const;

/** What the guard made of a statement: what the engine would get, and how much it may touch. */
export function SqlPlanView({ plan }: { plan: SqlPlan }) {
  const { sql: text } = useText(tableText);
  const kind = KINDS.find((each) => each === plan.kind) ?? "select";
  return (
    <div className={styles.plan}>
      <p role="status" className={styles.title}>
        {text.kinds[kind](plan.rows)}
      </p>
      <p className={styles.note}>
        {text.notRun} {plan.is_limited && text.limited}
      </p>
      {plan.columns.length > 0 && (
        <p className={styles.note}>
          {kind === "select" ? text.answers : text.writes} {formatNames(plan.columns)}
        </p>
      )}
      {plan.text && (
        <>
          <pre className={styles.code}>{plan.text}</pre>
          <dl className={styles.names}>
            {Object.entries(plan.names).map(([physical, name]) => (
              <Fragment key={physical}>
                <dt>{physical}</dt>
                <dd>{name}</dd>
              </Fragment>
            ))}
            <dt>{text.bound}</dt>
            <dd>{plan.parameters}</dd>
          </dl>
        </>
      )}
    </div>
  );
}
