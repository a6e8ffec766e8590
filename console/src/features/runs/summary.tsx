import { getRouteApi } from "@tanstack/react-router";
import { Fragment } from "react";
import { useText } from "../../text/catalogue";
import { formatCompact, formatDuration } from "../../text/formats";
import { formatPoints } from "../../trace/figures";
import { Histogram } from "../../ui/histogram/histogram";
import { formatMoment } from "./moment";
import type { RunSearch } from "./queries";
import { binsOf, type Range, timeOfBins } from "./range";
import styles from "./summary.module.css";
import { useFigures } from "./top-queries";
import { topText } from "./top-text";

const page = getRouteApi("/shell/w/$workspaceId/runs");

type Props = { workspaceId: string; search: RunSearch; range: Range; now: number };

/** All runs that match, in figures and over time; a part of the chart can be chosen. */
export function Summary({ workspaceId, search, range, now }: Props) {
  const text = useText(topText);
  const navigate = page.useNavigate();
  const { series, isKnown, interval } = useFigures(workspaceId, search, range, now);
  const bins = binsOf(series?.points ?? [], range, interval, now);
  const { figures: words } = text;
  const total = series?.total;
  const facts: readonly (readonly [string, string])[] = total
    ? [
        [words.p50, formatDuration(total.duration_p50_us / 1000)],
        [words.p95, formatDuration(total.duration_p95_us / 1000)],
        ...(total.first_token_p50_ms === null || total.first_token_p50_ms === undefined
          ? []
          : [[words.firstToken, formatDuration(total.first_token_p50_ms)] as const]),
        [words.tokens, formatCompact(total.input_tokens + total.output_tokens)],
        ...(Number(total.cost) ? [[words.cost, formatPoints(total.cost)] as const] : []),
      ]
    : [];
  return (
    <div className={styles.summary}>
      <p className={styles.figures}>
        <b className={styles.runs}>{isKnown ? words.runs(total?.runs ?? 0) : " "}</b>
        {total && total.errors > 0 && (
          <span className={styles.errors}>{words.errors(total.errors)}</span>
        )}
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <span className={styles.fact}>
              {name} <b>{value}</b>
            </span>
          </Fragment>
        ))}
      </p>
      <Histogram
        label={text.chart}
        bars={bins.map((bin) => ({
          key: String(bin.at),
          label: text.bar(
            formatMoment(bin.at, interval),
            words.runs(bin.runs),
            words.errors(bin.errors),
          ),
          count: bin.runs,
          bad: bin.errors,
        }))}
        ticks={[
          formatMoment(bins[0]?.at ?? range.since, interval),
          formatMoment(range.until ?? now, interval === "minute" ? "minute" : "hour"),
        ]}
        onNarrow={(first, last) =>
          void navigate({
            search: (old) => ({ ...old, time: timeOfBins(bins, first, last, interval) }),
          })
        }
      />
    </div>
  );
}
