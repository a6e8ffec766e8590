import { getRouteApi } from "@tanstack/react-router";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  ListChecks,
  LoaderCircle,
} from "lucide-react";
import { useMemo } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ServerWords } from "../../ui/error-state/server-words";
import { ListBody } from "../../ui/list/list-body";
import { StateBadge } from "../../ui/state-badge/state-badge";
import type { Column } from "../../ui/table/table";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import styles from "./operations.module.css";
import { type Queue, type Task, useQueues, useSettleTask, useTasks } from "./queries";
import { operationsText } from "./text";

const page = getRouteApi("/shell/operations/{-$tab}");
const NOTHING = "–";
const STATES = ["waiting", "running", "failed", "done"] as const;

/** What waits in the deployment, and the documents that are read or could not be. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Queues() {
  const { queues: text } = useText(operationsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const state = STATES.find((each) => each === search.state);
  const list = useTasks(state);
  const retry = useSettleTask("retry");
  const cancel = useSettleTask("cancel");
  const failure = failureOf(retry.error ?? cancel.error);
  const columns = useColumns();
  return (
    <div className={styles.stack}>
      <QueueTable />
      <h2 className={styles.heading}>{text.tasks}</h2>
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.tasks}
        filters={
          <FilterChip
            label={text.state}
            value={state}
            options={STATES.map((value) => ({ value, label: text.states[value] }))}
            onChange={(value) => void navigate({ search: { state: value }, replace: true })}
          />
        }
        isNarrowed={state !== undefined}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clear }}
        empty={
          <EmptyState title={text.empty} drawing={<ListChecks size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(task) => task.id}
        menuWidth="112px"
        menu={(task) => (
          <>
            {task.can_retry && (
              <Button
                size="compact"
                kind="quiet"
                onClick={() =>
                  retry.mutate(task, { onSuccess: () => toast(text.retried(nameOf(task))) })
                }
              >
                {text.retry}
              </Button>
            )}
            {task.can_cancel && (
              <Button
                size="compact"
                kind="quiet"
                onClick={() =>
                  cancel.mutate(task, { onSuccess: () => toast(text.stopped(nameOf(task))) })
                }
              >
                {text.cancel}
              </Button>
            )}
          </>
        )}
      />
    </div>
  );
}

function nameOf(task: Task): string {
  return task.name || task.document_id;
}

function QueueTable() {
  const { queues: text } = useText(operationsText);
  const { data, error } = useQueues();
  const failure = failureOf(error);
  if (!data) return failure ? <ErrorLine failure={failure} /> : null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.inset} aria-label={text.label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.columns.queue}</th>
            {(["waiting", "in_work", "failed", "oldest", "rate", "workers"] as const).map((key) => (
              <th key={key} scope="col" className={styles.number}>
                {text.columns[key]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.items.map((queue) => (
            <QueueRow key={queue.name} queue={queue} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function QueueRow({ queue }: { queue: Queue }) {
  const { queues: text } = useText(operationsText);
  const names: Readonly<Record<string, string>> = text.names;
  const isLeft = queue.waiting > 0 && queue.workers === 0;
  return (
    <tr>
      <th scope="row">{names[queue.name] ?? queue.name}</th>
      <Count value={queue.waiting} />
      <Count value={queue.in_work} />
      <Count value={queue.failed} isBad />
      <td className={styles.number}>{queue.oldest_at ? <Ago at={queue.oldest_at} /> : NOTHING}</td>
      <td className={styles.number}>
        {queue.per_minute === null ? NOTHING : text.perMinute(queue.per_minute)}
      </td>
      <td className={styles.number}>
        {isLeft ? (
          <StateBadge tone="warn" icon={<CircleAlert size={14} />}>
            {text.nobody}
          </StateBadge>
        ) : (
          formatNumber(queue.workers)
        )}
      </td>
    </tr>
  );
}

function Count({ value, isBad }: { value: number; isBad?: true }) {
  const shape = value === 0 ? styles.none : isBad ? styles.failed : undefined;
  return (
    <td className={styles.number}>
      <span className={shape}>{formatNumber(value)}</span>
    </td>
  );
}

function useColumns(): readonly Column<Task>[] {
  const { queues: text } = useText(operationsText);
  return useMemo(() => {
    const stages: Readonly<Record<string, string>> = text.stages;
    return [
      {
        key: "document",
        label: text.columns.document,
        width: "minmax(160px, 1fr)",
        render: (task) =>
          task.name || <code title={text.hiddenName}>{`#${task.document_id}`}</code>,
      },
      {
        key: "state",
        label: text.columns.state,
        width: "132px",
        render: (task) => <TaskState task={task} />,
      },
      {
        key: "stage",
        label: text.columns.stage,
        width: "minmax(140px, 1.4fr)",
        leaveOut: "narrow",
        render: (task) =>
          task.state === "failed" || task.last_error ? (
            <span title={task.last_error}>
              <ServerWords message={task.last_error} />
            </span>
          ) : (
            (stages[task.stage] ?? task.stage)
          ),
      },
      {
        key: "created",
        label: text.columns.created,
        width: "104px",
        isNumber: true,
        leaveOut: "medium",
        render: (task) => <Ago at={task.created_at} />,
      },
    ];
  }, [text]);
}

function TaskState({ task }: { task: Task }) {
  const { queues: text } = useText(operationsText);
  switch (task.state) {
    case "running":
      return (
        <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
          {text.running(task.percent)}
        </StateBadge>
      );
    case "failed":
      return (
        <StateBadge tone="bad" icon={<CircleSlash size={14} />}>
          {text.states.failed}
        </StateBadge>
      );
    case "done":
      return (
        <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
          {text.states.done}
        </StateBadge>
      );
    default:
      return (
        <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
          {text.states.waiting}
        </StateBadge>
      );
  }
}
