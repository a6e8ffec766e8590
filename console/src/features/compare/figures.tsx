import { Link } from "@tanstack/react-router";
import { useText } from "../../text/catalogue";
import { formatDuration, formatExact, formatNumber } from "../../text/formats";
import { traceBodyText } from "../../trace/body-text";
import { formatPoints } from "../../trace/figures";
import type { Summary } from "../../trace/queries";
import { RunState } from "../../trace/run-state";
import { traceText } from "../../trace/text";
import { versionName } from "../../trace/version";
import styles from "./compare.module.css";

type Props = { left: Summary; right: Summary };
type Figure = {
  name: string;
  of: (run: Summary) => number | null;
  shown: (value: number) => string;
};

/** Both runs in figures, with what the second one took more or less. */
export function Figures({ left, right }: Props) {
  const text = useText(traceBodyText);
  const words = useText(traceText);
  const { compare } = text;
  const figures: readonly Figure[] = [
    {
      name: text.took,
      of: (run) => run.duration_us / 1000,
      shown: formatDuration,
    },
    {
      name: text.firstToken,
      of: (run) => run.first_token_ms ?? null,
      shown: formatDuration,
    },
    {
      name: text.tokens,
      of: (run) => run.input_tokens + run.output_tokens,
      shown: formatNumber,
    },
    { name: text.cost, of: (run) => Number(run.cost), shown: (value) => formatPoints(`${value}`) },
    { name: text.steps, of: (run) => run.steps, shown: formatNumber },
  ];
  return (
    <div className={styles.scroll}>
      <table className={styles.figures}>
        <caption className={styles.caption}>{compare.facts}</caption>
        <thead>
          <tr>
            <td />
            {[left, right].map((run, index) => (
              <th key={run.run_id} scope="col">
                <span className={styles.side}>{index === 0 ? compare.before : compare.after}</span>
                <Link
                  to="/w/$workspaceId/runs/$runId"
                  params={{ workspaceId: run.workspace_id, runId: run.run_id }}
                  className={styles.link}
                >
                  {run.name || run.run_id}
                </Link>
                <RunState status={run.status} />
                <span className={styles.note}>
                  {versionName(run.version, words)} · {formatExact(run.started_at)}
                </span>
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {figures.map(({ name, of, shown }) => {
            const [one, other] = [of(left), of(right)];
            if (!one && !other) return null;
            const more = one === null || other === null ? 0 : other - one;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{one === null ? "–" : shown(one)}</td>
                <td>{other === null ? "–" : shown(other)}</td>
                <td className={styles.more}>
                  {more !== 0 && `${more > 0 ? "+" : "−"}${shown(Math.abs(more))}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
