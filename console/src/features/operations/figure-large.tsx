import { X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useText } from "../../text/catalogue";
import { formatExact } from "../../text/formats";
import { IconButton } from "../../ui/button/icon-button";
import { latestOf, lineOf, saidOf, topOf } from "./figure";
import styles from "./metrics.module.css";
import { indexAt } from "./pointer";
import type { Figure } from "./queries";
import { operationsText } from "./text";

const WIDTH = 960;
const HEIGHT = 180;

type Props = {
  figure: Figure;
  since: number;
  stepS: number;
  at: number | undefined;
  onAt: (at: number | undefined) => void;
  onClose: () => void;
};

/** One figure with its scale; arrows walk along it. */
export function FigureLarge({ figure, since, stepS, at, onAt, onClose }: Props) {
  const { metrics: text } = useText(operationsText);
  const names: Readonly<Record<string, string>> = text.names;
  const { points, unit, limit } = figure;
  const top = topOf(points, limit);
  const last = points.length - 1;
  const place = at ?? last;
  const value = at === undefined ? latestOf(points) : (points[at] ?? null);
  const name = names[figure.name] ?? figure.name;
  const said = value === null ? text.unknown : saidOf(unit, value);
  const moment = formatExact(since + (place + 1) * stepS);
  function onKeyDown(event: KeyboardEvent): void {
    const step = new Map([
      ["ArrowLeft", -1],
      ["ArrowRight", 1],
    ]).get(event.key);
    if (!step) return;
    event.preventDefault();
    onAt(Math.min(last, Math.max(0, place + step)));
  }
  return (
    <figure className={styles.large}>
      <figcaption className={styles.caption}>
        <span className={styles.largeName}>{name}</span>
        <span className={styles.value}>{said}</span>
        <span className={styles.note}>{moment}</span>
        {limit !== null && <span className={styles.note}>{text.limit(saidOf(unit, limit))}</span>}
        <span className={styles.close}>
          <IconButton size="compact" label={text.shrink} icon={<X size={16} />} onClick={onClose} />
        </span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={place}
        aria-valuetext={`${moment}: ${said}`}
        className={styles.stage}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => onAt(indexAt(event, points.length))}
        onPointerLeave={() => onAt(undefined)}
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={styles.largeChart}
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2={WIDTH}
              y1={HEIGHT * share}
              y2={HEIGHT * share}
              className={styles.ground}
            />
          ))}
          {limit !== null && limit <= top && (
            <line
              x1="0"
              x2={WIDTH}
              y1={HEIGHT - (limit / top) * HEIGHT}
              y2={HEIGHT - (limit / top) * HEIGHT}
              className={styles.limit}
            />
          )}
          <path d={lineOf(points, top, WIDTH, HEIGHT)} className={styles.line} />
          {at !== undefined && last > 0 && (
            <line
              x1={(at / last) * WIDTH}
              x2={(at / last) * WIDTH}
              y1="0"
              y2={HEIGHT}
              className={styles.cross}
            />
          )}
        </svg>
        <span className={styles.topLabel}>{saidOf(unit, top)}</span>
        <span className={styles.middleLabel}>{saidOf(unit, top / 2)}</span>
      </div>
    </figure>
  );
}
