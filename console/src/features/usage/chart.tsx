import { useState } from "react";
import type { UsageReport } from "../../api/schema";
import { formatStep } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { Segmented } from "../../ui/segmented/segmented";
import styles from "./chart.module.css";
import { METRICS, type Metric, roundAbove, type Series, seriesOf, shown } from "./metric";
import { type Span, stepsOf } from "./span";
import { usageText } from "./text";

const MOST_LABELS = 8;
const GAP = 0.16;

type Props = {
  report: UsageReport;
  metric: Metric;
  span: Span;
  nameOf: (dimension: string, value: string) => string;
  onMetric: (metric: Metric) => void;
};

/** Stacked bars of a time, or the same as a table. */
export function Chart({ report, metric, span, nameOf, onMetric }: Props) {
  const text = useText(usageText);
  const [view, setView] = useState<"chart" | "table">("chart");
  const steps = stepsOf(span);
  const series = seriesOf(report, metric, steps);
  const said = (value: number) => shown(metric, value, report.currency);
  const names = series.map(({ group }) => {
    if (!group) return report.groups.length > 0 ? text.rest : text.all;
    return Object.entries(group.values)
      .map(([dimension, value]) => nameOf(dimension, value))
      .join(" · ");
  });
  const label = (step: number) => formatStep(step, span.interval);
  const parts = { steps, series, names, said, label };
  const metrics = METRICS.filter((each) => each !== "points" || Number(report.total.points) > 0);
  return (
    <figure className={styles.figure}>
      <div className={styles.head}>
        <h2 className={styles.title}>{text.course}</h2>
        <Segmented
          label={text.metric}
          value={metric}
          options={metrics.map((value) => ({ value, label: text.metrics[value] }))}
          onChange={onMetric}
        />
        <Segmented
          label={text.view}
          value={view}
          options={[
            { value: "chart", label: text.views.chart },
            { value: "table", label: text.views.table },
          ]}
          onChange={setView}
        />
      </div>
      {view === "chart" ? <Bars {...parts} /> : <Values {...parts} />}
    </figure>
  );
}

type Parts = {
  steps: readonly number[];
  series: readonly Series[];
  names: readonly string[];
  said: (value: number) => string;
  label: (step: number) => string;
};

function Bars({ steps, series, names, said, label }: Parts) {
  const text = useText(usageText);
  const [active, setActive] = useState<number>();
  const sums = steps.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const top = roundAbove(Math.max(...sums));
  const width = 100 / steps.length;
  const every = Math.ceil(steps.length / MOST_LABELS);
  const at = active === undefined ? undefined : steps[active];
  const whole = sums.reduce((sum, each) => sum + each, 0);
  return (
    <div className={styles.chart}>
      <div className={styles.axis} aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{said(value)}</span>
        ))}
      </div>
      <div className={styles.plot}>
        <svg
          role="img"
          aria-label={text.chartOf(said(whole), names.length)}
          className={styles.bars}
          onPointerLeave={() => setActive(undefined)}
        >
          {["0%", "50%", "100%"].map((y) => (
            <line key={y} x1="0" x2="100%" y1={y} y2={y} className={styles.line} />
          ))}
          {steps.map((step, index) => (
            <Bar
              key={step}
              x={index * width}
              width={width}
              top={top}
              values={series.map(({ values }) => values[index] ?? 0)}
              isDim={active !== undefined && active !== index}
              onEnter={() => setActive(index)}
            />
          ))}
        </svg>
        <svg className={styles.labels} aria-hidden="true">
          {steps.map(
            (step, index) =>
              index % every === 0 && (
                <text key={step} x={`${(index + 0.5) * width}%`} y="12" className={styles.label}>
                  {label(step)}
                </text>
              ),
          )}
        </svg>
      </div>
      <div className={styles.legend}>
        <p className={styles.when}>
          <span>{at === undefined ? text.whole : label(at)}</span>
          <span>{said(active === undefined ? whole : (sums[active] ?? 0))}</span>
        </p>
        <ul>
          {series.map(({ key, group, values }, index) => (
            <li key={key} className={styles.entry}>
              <svg className={styles.mark} aria-hidden="true">
                <rect
                  width="100%"
                  height="100%"
                  rx="2"
                  className={group ? styles[`of${index}`] : styles.rest}
                />
              </svg>
              <span className={styles.name} title={names[index]}>
                {names[index]}
              </span>
              <span>
                {said(
                  active === undefined
                    ? values.reduce((sum, each) => sum + each, 0)
                    : (values[active] ?? 0),
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

type BarProps = {
  x: number;
  width: number;
  top: number;
  values: readonly number[];
  isDim: boolean;
  onEnter: () => void;
};

function Bar({ x, width, top, values, isDim, onEnter }: BarProps) {
  let stacked = 0;
  return (
    <g onPointerEnter={onEnter} className={classes(isDim && styles.dim)}>
      <rect x={`${x}%`} width={`${width}%`} y="0" height="100%" className={styles.hit} />
      {values.map((value, index) => {
        const height = (value / top) * 100;
        stacked += height;
        const isRest = index === values.length - 1 && index > 0;
        return (
          value > 0 && (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the stack
              key={index}
              x={`${x + width * GAP}%`}
              width={`${width * (1 - 2 * GAP)}%`}
              y={`${100 - stacked}%`}
              height={`${height}%`}
              className={isRest && values.length > 6 ? styles.rest : styles[`of${index}`]}
            />
          )
        );
      })}
    </g>
  );
}

function Values({ steps, series, names, said, label }: Parts) {
  const text = useText(usageText);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard
    <section className={styles.values} tabIndex={0} aria-label={text.course}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.when}</th>
            {series.map(({ key }, index) => (
              <th key={key} scope="col" className={styles.number}>
                {names[index]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step}>
              <th scope="row">{label(step)}</th>
              {series.map(({ key, values }) => (
                <td key={key} className={styles.number}>
                  {said(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
