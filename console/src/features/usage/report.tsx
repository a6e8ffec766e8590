import { getRouteApi } from "@tanstack/react-router";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../../api/list";
import type { UsageReport } from "../../api/schema";
import { formatMoney } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { formatCompact, formatNumber } from "../../text/formats";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorState } from "../../ui/error-state/error-state";
import { PageBody } from "../../ui/page/page";
import { Segmented } from "../../ui/segmented/segmented";
import { Skeleton } from "../../ui/skeleton/skeleton";
import { Breakdown } from "./breakdown";
import { Chart } from "./chart";
import { DIMENSIONS, dimensionOf, useNames } from "./dimensions";
import { METRICS, usualMetric } from "./metric";
import { useReport } from "./queries";
import styles from "./report.module.css";
import { before, PERIODS, type Period, type Span } from "./span";
import { usageText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/usage");

type Props = { workspaceId: string; period: Period; span: Span };

/** Sums of a time: figures, a chart of their course, and what they consist of. */
export function Report({ workspaceId, period, span }: Props) {
  const text = useText(usageText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const by = dimensionOf(search.by) ?? "agent";
  const chosen = dimensionOf(search.also);
  const also = chosen === by ? undefined : chosen;
  const groupBy = [by, also].filter(Boolean).join(",");
  const report = useReport({ workspaceId, span, groupBy, hasSteps: true });
  const past = useReport({ workspaceId, span: before(span), groupBy, hasSteps: false });
  const nameOf = useNames(workspaceId, by, also);
  const failure = report.data ? undefined : failureOf(report.error);
  const metric = METRICS.find((each) => each === search.metric) ?? usual(report.data);
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  const dimensions = DIMENSIONS.map((value) => ({ value, label: text.dimensions[value] }));
  return (
    <PageBody>
      <div className={styles.column}>
        <search className={styles.tools}>
          <Segmented
            label={text.period}
            value={period}
            options={PERIODS.map((value) => ({ value, label: text.periods[value] }))}
            onChange={(value) => set({ period: value })}
          />
          <FilterChip
            label={text.by}
            value={by}
            options={dimensions}
            onChange={(value) => set({ by: value, ...(value ? {} : { also: undefined }) })}
          />
          <FilterChip
            label={text.also}
            value={also}
            options={dimensions.filter(({ value }) => value !== by)}
            onChange={(value) => set({ also: value })}
          />
        </search>
        {failure && <ErrorState failure={failure} onRetry={() => void report.refetch()} />}
        {!report.data && !failure && <Skeleton width="100%" />}
        {report.data && report.data.total.calls === 0 && (
          <EmptyState title={text.empty} drawing={<ChartColumn size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        )}
        {report.data && report.data.total.calls > 0 && (
          <>
            <Figures report={report.data} />
            <Chart
              report={report.data}
              metric={metric}
              span={span}
              nameOf={nameOf}
              onMetric={(value) => set({ metric: value })}
            />
            <Breakdown
              workspaceId={workspaceId}
              span={span}
              report={report.data}
              past={past.data}
              metric={metric}
              dimensions={also ? [by, also] : [by]}
              nameOf={nameOf}
            />
          </>
        )}
      </div>
    </PageBody>
  );
}

function usual(report: UsageReport | undefined) {
  return report ? usualMetric(report.total) : "tokens";
}

function Figures({ report }: { report: UsageReport }) {
  const text = useText(usageText);
  const { total, currency } = report;
  const points = Number(total.points);
  return (
    <>
      <dl className={styles.figures}>
        <Figure label={text.figures.cost}>
          {total.cost === null ? (
            <span title={text.unpriced}>–</span>
          ) : (
            `${total.estimated_calls > 0 && Number(total.cost) > 0 ? "≈ " : ""}${formatMoney(Number(total.cost), currency)}`
          )}
        </Figure>
        {points > 0 && <Figure label={text.figures.points}>{formatNumber(points)}</Figure>}
        <Figure label={text.figures.input} exact={total.input_tokens}>
          {formatCompact(total.input_tokens)}
        </Figure>
        <Figure label={text.figures.output} exact={total.output_tokens}>
          {formatCompact(total.output_tokens)}
        </Figure>
        <Figure label={text.figures.calls} exact={total.calls}>
          {formatCompact(total.calls)}
        </Figure>
        {total.pages > 0 && (
          <Figure label={text.figures.pages} exact={total.pages}>
            {formatCompact(total.pages)}
          </Figure>
        )}
      </dl>
      <p className={styles.sums}>{sumLine(report, text.sums).join(" · ")}</p>
    </>
  );
}

type FigureProps = { label: string; exact?: number; children: ReactNode };

function Figure({ label, exact, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.figureLabel}>{label}</dt>
      <dd
        className={styles.figureValue}
        title={exact === undefined ? undefined : formatNumber(exact)}
      >
        {children}
      </dd>
    </div>
  );
}

type Words = {
  exact: string;
  estimated: (count: number) => string;
  unpriced: (count: number) => string;
  failed: (count: number) => string;
  unsettled: (count: number, tokens: number) => string;
  zone: (zone: string) => string;
};

/** What a sum holds, and what it does not. */
function sumLine({ total, zone }: UsageReport, words: Words): string[] {
  const others = Object.entries(total.other_costs).map(([code, amount]) =>
    formatMoney(Number(amount), code),
  );
  return [
    total.estimated_calls > 0 ? words.estimated(total.estimated_calls) : words.exact,
    ...(total.calls_without_cost > 0 ? [words.unpriced(total.calls_without_cost)] : []),
    ...(total.failed_calls > 0 ? [words.failed(total.failed_calls)] : []),
    ...(total.unsettled ? [words.unsettled(total.unsettled.calls, total.unsettled.tokens)] : []),
    ...others,
    words.zone(zone),
  ];
}
