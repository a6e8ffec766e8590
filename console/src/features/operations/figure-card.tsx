import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { latestOf, lineOf, saidOf, topOf } from "./figure";
import styles from "./metrics.module.css";
import { indexAt } from "./pointer";
import type { Figure } from "./queries";
import { operationsText } from "./text";

const WIDTH = 240;
const HEIGHT = 40;

type Props = {
  figure: Figure;
  at: number | undefined;
  isLarge: boolean;
  onAt: (at: number | undefined) => void;
  onOpen: () => void;
};

/** One figure at a glance: what it is now, or was at the place that is marked. */
export function FigureCard({ figure, at, isLarge, onAt, onOpen }: Props) {
  const { metrics: text } = useText(operationsText);
  const names: Readonly<Record<string, string>> = text.names;
  const { points, unit, limit } = figure;
  const top = topOf(points, limit);
  const path = useMemo(() => lineOf(points, top, WIDTH, HEIGHT), [points, top]);
  const value = at === undefined ? latestOf(points) : (points[at] ?? null);
  const isOver = value !== null && limit !== null && value >= limit;
  const name = names[figure.name] ?? figure.name;
  return (
    <button
      type="button"
      aria-pressed={isLarge}
      className={classes(styles.card, isLarge && styles.chosen)}
      onClick={onOpen}
      onPointerMove={(event) => onAt(indexAt(event, points.length))}
      onPointerLeave={() => onAt(undefined)}
    >
      <span className={styles.name}>{name}</span>
      <span className={classes(styles.value, isOver && styles.over)}>
        {value === null ? "–" : saidOf(unit, value)}
        {unit === "per_minute" && value !== null && (
          <span className={styles.unit}>{text.perMinute}</span>
        )}
      </span>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.chart}
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={styles.ground} />
        {limit !== null && limit <= top && (
          <line
            x1="0"
            x2={WIDTH}
            y1={HEIGHT - (limit / top) * HEIGHT}
            y2={HEIGHT - (limit / top) * HEIGHT}
            className={styles.limit}
          />
        )}
        <path d={path} className={styles.line} />
        {at !== undefined && points.length > 1 && (
          <line
            x1={(at / (points.length - 1)) * WIDTH}
            x2={(at / (points.length - 1)) * WIDTH}
            y1="0"
            y2={HEIGHT}
            className={styles.cross}
          />
        )}
      </svg>
    </button>
  );
}
