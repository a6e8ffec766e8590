import { CircleAlert, CircleCheck, CircleSlash, Stethoscope } from "lucide-react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { useNoun } from "../../ui/error-state/reasons";
import { ServerWords } from "../../ui/error-state/server-words";
import { PageBody } from "../../ui/page/page";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { Ago } from "../../ui/time/ago";
import styles from "./operations.module.css";
import { type Check, useExamine, useHealth } from "./queries";
import { operationsText } from "./text";

const COMMAND = "coterie backup";

/** The last backup, and what the doctor says. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Backup() {
  const { backup: text } = useText(operationsText);
  const health = useHealth();
  const examine = useExamine();
  const failure = failureOf(examine.error);
  const last = health.data?.last_backup;
  const report = examine.data ?? health.data?.last_examination;
  return (
    <PageBody>
      <section className={styles.section}>
        <h2 className={styles.title}>{text.backup}</h2>
        {last ? (
          <p>
            {text.lastBackup} <Ago at={last.at} />: <code>{last.file}</code>, {text.rows(last.rows)}
          </p>
        ) : (
          <p>{text.noBackup}</p>
        )}
        <p className={styles.note}>
          {text.how} <code>{COMMAND}</code>
        </p>
      </section>
      <section className={styles.section}>
        <div className={styles.line}>
          <h2 className={styles.title}>{text.doctor}</h2>
          <Button
            icon={<Stethoscope size={16} />}
            isLoading={examine.isPending}
            onClick={() => examine.mutate()}
          >
            {text.run}
          </Button>
        </div>
        <p className={styles.note}>{text.doctorWhy}</p>
        {failure && <ErrorLine failure={failure} />}
        {report ? (
          <>
            <p role="status">
              {report.is_healthy ? text.healthy : text.unhealthy} <Ago at={report.at} />
            </p>
            <ul className={styles.checks}>
              {report.checks.map((check) => (
                <CheckRow key={check.name} check={check} />
              ))}
            </ul>
          </>
        ) : (
          <p>{text.never}</p>
        )}
      </section>
    </PageBody>
  );
}

function CheckRow({ check }: { check: Check }) {
  const noun = useNoun();
  return (
    <li className={styles.check}>
      <Severity severity={check.severity} />
      <div>
        <b>{noun("check", check.name)}</b>
        {check.findings.map((finding) => (
          <div key={finding.id} className={styles.finding}>
            <ServerWords message={finding.message} />
            {finding.advice && (
              <span className={styles.small}>
                <ServerWords message={finding.advice} />
              </span>
            )}
            {finding.examples.length > 0 && (
              <code className={styles.small}>{finding.examples.join(", ")}</code>
            )}
          </div>
        ))}
      </div>
    </li>
  );
}

function Severity({ severity }: { severity: string }) {
  const { backup: text } = useText(operationsText);
  if (severity === "ok") {
    return (
      <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
        {text.severities.ok}
      </StateBadge>
    );
  }
  return severity === "warning" ? (
    <StateBadge tone="warn" icon={<CircleAlert size={14} />}>
      {text.severities.warning}
    </StateBadge>
  ) : (
    <StateBadge tone="bad" icon={<CircleSlash size={14} />}>
      {text.severities.failure}
    </StateBadge>
  );
}
