import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { formatPercent } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { formatCompact, formatDuration, formatNumber } from "../../text/formats";
import { formatPoints } from "../../trace/figures";
import { classes } from "../../ui/classes";
import { Sparkline } from "../../ui/sparkline/sparkline";
import { changeOf, type Figure, figuresOf, MEASURED } from "./figures";
import styles from "./home.module.css";
import { DAY_S, useDay } from "./queries";
import { homeText } from "./text";

const MINUTE_S = 60;

/** The last 24 hours in numbers, beside those before. */
export function Today({ workspaceId }: { workspaceId: string }) {
  const text = useText(homeText);
  const id = useId();
  const [now] = useState(() => Math.ceil(Date.now() / 1000 / MINUTE_S) * MINUTE_S);
  const day = useDay(workspaceId, now, true, true);
  const before = useDay(workspaceId, now - DAY_S, false, true);
  const figures = day ? figuresOf(day, before) : [];
  return (
    <section aria-labelledby={id} className={styles.column}>
      <h2 id={id} className={styles.head}>
        {text.today}
      </h2>
      <div className={styles.figures}>
        {figures.filter(isTold).map((figure) => (
          <Link
            key={figure.key}
            to="/w/$workspaceId/runs"
            params={{ workspaceId }}
            search={{ time: "24h", ...(figure.key === "errors" && { state: "failed" }) }}
            className={styles.figure}
          >
            <span className={styles.label}>{text.figures[figure.key]}</span>
            <span className={styles.number}>
              <span title={exact(figure)}>{shown(figure)}</span>
              <Change figure={figure} />
            </span>
            <Sparkline
              values={figure.hours}
              {...(figure.key === "errors" ? { tone: "bad" as const } : {})}
            />
          </Link>
        ))}
      </div>
    </section>
  );
}

function Change({ figure }: { figure: Figure }) {
  const text = useText(homeText);
  const change = changeOf(figure);
  if (change === undefined) return null;
  const isWorse = figure.key === "errors" && change > 0;
  return (
    <span className={classes(styles.change, isWorse && styles.worse)} title={text.against}>
      {formatPercent(change, true)}
    </span>
  );
}

/** What nobody has measured or pays for is no number. */
function isTold({ key, value, before }: Figure): boolean {
  if (MEASURED.has(key)) return value !== undefined;
  return key !== "cost" || Boolean(value) || Boolean(before);
}

function shown({ key, value = 0 }: Figure): string {
  switch (key) {
    case "firstToken":
    case "lateToken":
      return formatDuration(value);
    case "cost":
      return formatPoints(String(value));
    case "tokens":
      return formatCompact(value);
    case "runs":
    case "errors":
      return formatNumber(value);
  }
}

function exact(figure: Figure): string | undefined {
  return figure.key === "tokens" ? formatNumber(figure.value ?? 0) : undefined;
}
