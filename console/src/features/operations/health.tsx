import { ChevronRight, CircleAlert, CircleCheck, CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { formatBytes, formatDuration, formatNames } from "../../text/formats";
import { Banner } from "../../ui/banner/banner";
import { classes } from "../../ui/classes";
import { ErrorState } from "../../ui/error-state/error-state";
import { useTold } from "../../ui/error-state/reasons";
import { ServerWords } from "../../ui/error-state/server-words";
import { PageBody } from "../../ui/page/page";
import { Skeleton } from "../../ui/skeleton/skeleton";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { Ago } from "../../ui/time/ago";
import styles from "./operations.module.css";
import { type Part, type Process, type Health as State, useHealth, useProcesses } from "./queries";
import { StatusBadge } from "./status-badge";
import { operationsText } from "./text";

/** The parts that this server works with, and all processes of the deployment. */
export function Health() {
  const { health: text } = useText(operationsText);
  const { data, error, isError, refetch } = useHealth();
  const told = useTold();
  const failure = failureOf(error);
  if (!data) {
    return failure ? (
      <ErrorState failure={failure} onRetry={() => void refetch()} />
    ) : (
      <PageBody>
        <Skeleton width="100%" height={320} />
      </PageBody>
    );
  }
  return (
    <PageBody>
      {isError && failure && <Banner tone="warn">{text.stale(told("", failure.message))}</Banner>}
      {data.is_draining && <Banner tone="info">{text.draining}</Banner>}
      <section className={styles.section}>
        <h2 className={styles.title}>{text.parts}</h2>
        <ul className={styles.parts}>
          {data.parts.map((part) => (
            <PartRow key={part.name} part={part} />
          ))}
        </ul>
        <p className={styles.note}>{text.release(data.version, data.schema)}</p>
      </section>
      <Breakers state={data} />
      <Processes />
    </PageBody>
  );
}

function PartRow({ part }: { part: Part }) {
  const { health: text } = useText(operationsText);
  const names: Readonly<Record<string, string>> = text.partNames;
  return (
    <li className={classes(styles.part, !part.is_ok && styles.broken)} data-part={part.name}>
      <span className={styles.partState}>
        {part.is_ok ? (
          <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
            {text.works}
          </StateBadge>
        ) : (
          <StateBadge
            tone={part.is_required ? "bad" : "warn"}
            icon={part.is_required ? <CircleSlash size={14} /> : <CircleAlert size={14} />}
          >
            {text.fails}
          </StateBadge>
        )}
      </span>
      <span className={styles.partName}>
        {names[part.name] ?? part.name}
        {!part.is_ok && (
          <span className={styles.partNote}>
            <ServerWords message={part.note} />
          </span>
        )}
      </span>
      <span className={styles.partKind}>{part.is_required ? text.required : text.helpful}</span>
      <span className={styles.partSince}>
        {text.since} <Ago at={part.since} />
      </span>
    </li>
  );
}

function Breakers({ state }: { state: State }) {
  const { health: text } = useText(operationsText);
  const words: Readonly<Record<string, string>> = text.breakerStates;
  const open = state.breakers.filter((each) => each.state !== "closed");
  if (state.breakers.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{text.breakers}</h2>
      {open.length === 0 ? (
        <p className={styles.note}>{text.allClosed(state.breakers.length)}</p>
      ) : (
        <ul className={styles.breakers}>
          {open.map((each) => (
            <li key={each.model}>
              <StateBadge
                tone={each.state === "open" ? "bad" : "warn"}
                icon={<CircleAlert size={14} />}
              >
                {words[each.state] ?? each.state}
              </StateBadge>{" "}
              {each.model}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Processes() {
  const { health: text } = useText(operationsText);
  const { data, error, refetch } = useProcesses();
  const failure = failureOf(error);
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{text.processes}</h2>
      {!data && failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section className={styles.scroll} aria-label={text.processes} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{text.columns.process}</th>
                <th scope="col">{text.columns.state}</th>
                <th scope="col">{text.columns.work}</th>
                <th scope="col" className={styles.number}>
                  {text.columns.processor}
                </th>
                <th scope="col" className={styles.number}>
                  {text.columns.lag}
                </th>
                <th scope="col" className={styles.number}>
                  {text.columns.memory}
                </th>
                <th scope="col" className={styles.number}>
                  {text.columns.started}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((each) => (
                <ProcessRow key={each.id} process={each} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function ProcessRow({ process }: { process: Process }) {
  const { health: text } = useText(operationsText);
  const roles: Readonly<Record<string, string>> = text.roles;
  const kind = process.is_server ? text.server : text.worker;
  const held = text.held(process.runs, process.workflow_runs, process.documents, process.streams);
  return (
    <tr>
      <th scope="row">
        {kind} <code>{`${process.host}:${process.pid}`}</code>
        <Small>
          {[process.version, process.is_this ? text.thisOne : ""].filter(Boolean).join(" · ")}
        </Small>
      </th>
      <td>
        {process.is_silent ? (
          <StateBadge tone="bad" icon={<CircleSlash size={14} />}>
            {text.silent}
          </StateBadge>
        ) : (
          <StatusBadge status={process.status} />
        )}
        <Small>
          {Object.entries(process.problems)
            .map(([part, note]) => `${part}: ${note}`)
            .join(" · ")}
        </Small>
      </td>
      <td>
        {held || text.idle}
        <Small>{formatNames(process.roles.map((role) => roles[role] ?? role))}</Small>
        <Duties names={process.duties} />
      </td>
      <td className={styles.number}>{text.percent(process.processor)}</td>
      <td className={styles.number}>{formatDuration(process.lag_s * 1000)}</td>
      <td className={styles.number}>{formatBytes(process.memory_bytes)}</td>
      <td className={styles.number}>
        <Ago at={process.started_at} />
      </td>
    </tr>
  );
}

/** What it does for all processes while it holds the lease, by name once asked. */
function Duties({ names }: { names: readonly string[] }) {
  const { health: text } = useText(operationsText);
  const known: Readonly<Record<string, string>> = text.dutyNames;
  if (names.length === 0) return null;
  return (
    <details className={classes(styles.small, styles.duties)}>
      <summary>
        <ChevronRight size={14} />
        {text.duties(names.length)}
      </summary>
      {formatNames(names.map((name) => known[name] ?? name))}
    </details>
  );
}

function Small({ children }: { children: ReactNode }) {
  return children ? <span className={styles.small}>{children}</span> : null;
}
