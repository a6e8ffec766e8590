import { Link } from "@tanstack/react-router";
import type { UsageGroup, UsageReport, UsageSums } from "../../api/schema";
import { formatMoney, formatPercent } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import styles from "./breakdown.module.css";
import type { Dimension } from "./dimensions";
import { runsOf } from "./drill";
import { amountIn, groupKey, type Metric } from "./metric";
import type { Span } from "./span";
import { usageText } from "./text";

type Props = {
  workspaceId: string;
  span: Span;
  report: UsageReport;
  /** The same of the time before; absent until it is there. */
  past: UsageReport | undefined;
  metric: Metric;
  dimensions: readonly Dimension[];
  nameOf: (dimension: string, value: string) => string;
};

/** What a sum consists of: groups with their share, and how they changed. */
export function Breakdown(props: Props) {
  const { workspaceId, span, report, past, metric, dimensions, nameOf } = props;
  const text = useText(usageText);
  const whole = amountIn(metric, report.total);
  const was = new Map(past?.groups.map((group) => [groupKey(group.values), group.total]));
  const rows = [...report.groups].sort(
    (one, other) => amountIn(metric, other.total) - amountIn(metric, one.total),
  );
  function names({ values }: UsageGroup) {
    const runs = runsOf(values, span);
    return dimensions.map((dimension, index) => {
      const name = nameOf(dimension, values[dimension] ?? "");
      return index === 0 ? (
        <th key={dimension} scope="row" className={styles.name} title={name}>
          {runs ? (
            <Link to="/w/$workspaceId/runs" params={{ workspaceId }} search={runs}>
              {name}
            </Link>
          ) : (
            name
          )}
        </th>
      ) : (
        <td key={dimension} className={styles.name} title={name}>
          {name}
        </td>
      );
    });
  }
  const facts = { currency: report.currency, metric, whole };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard
    <section className={styles.box} tabIndex={0} aria-label={text.breakdown}>
      <table className={styles.table}>
        <thead>
          <tr>
            {dimensions.map((dimension) => (
              <th key={dimension} scope="col">
                {text.dimensions[dimension]}
              </th>
            ))}
            <th scope="col">{text.columns.share}</th>
            <th scope="col" className={styles.number}>
              {text.columns.cost}
            </th>
            <th scope="col" className={styles.number}>
              {text.columns.tokens}
            </th>
            <th scope="col" className={styles.number}>
              {text.columns.calls}
            </th>
            <th scope="col" className={styles.number}>
              {text.columns.change}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((group) => {
            const key = groupKey(group.values);
            return (
              <tr key={key}>
                {names(group)}
                <Sums {...facts} sums={group.total} was={was.get(key)} isPastKnown={!!past} />
              </tr>
            );
          })}
          {report.rest && (
            <tr>
              <th scope="row" colSpan={dimensions.length} className={styles.name}>
                {text.rest}
              </th>
              <Sums {...facts} sums={report.rest} was={undefined} isPastKnown={false} />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={dimensions.length}>
              {text.total}
            </th>
            <Sums {...facts} sums={report.total} was={past?.total} isPastKnown={!!past} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

type SumsProps = {
  sums: UsageSums;
  was: UsageSums | undefined;
  isPastKnown: boolean;
  metric: Metric;
  whole: number;
  currency: string;
};

function Sums({ sums, was, isPastKnown, metric, whole, currency }: SumsProps) {
  const text = useText(usageText);
  const value = amountIn(metric, sums);
  const past = was ? amountIn(metric, was) : 0;
  const share = whole > 0 ? value / whole : 0;
  function change(): string {
    if (!isPastKnown) return "";
    if (past === 0) return value > 0 ? text.fresh : "–";
    return formatPercent(value / past - 1, true);
  }
  return (
    <>
      <td>
        <span className={styles.share}>
          <svg className={styles.bar} aria-hidden="true">
            <rect width="100%" height="100%" rx="2" className={styles.ground} />
            <rect width={`${share * 100}%`} height="100%" rx="2" className={styles.part} />
          </svg>
          <span>{formatPercent(share)}</span>
        </span>
      </td>
      <td className={styles.number}>
        {sums.cost === null ? (
          <span title={text.unpriced}>–</span>
        ) : (
          formatMoney(Number(sums.cost), currency)
        )}
      </td>
      <td className={styles.number} data-sum="tokens">
        {formatNumber(sums.input_tokens + sums.output_tokens)}
      </td>
      <td className={styles.number} data-sum="calls">
        {formatNumber(sums.calls)}
      </td>
      <td className={styles.number}>{change()}</td>
    </>
  );
}
