import styles from "./sparkline.module.css";

const HEIGHT = 28;
const GAP = 1;
const STEP = 4;

/** A course at a glance: a bar for each step. The number beside it says what it comes to. */
export function Sparkline({ values, tone }: { values: readonly number[]; tone?: "bad" }) {
  const most = Math.max(...values, 0);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={tone === "bad" ? styles.bad : styles.line}
    >
      {values.map((value, index) => {
        const height = most > 0 && value > 0 ? Math.max(2, (value / most) * HEIGHT) : 1;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
            key={index}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - GAP}
            height={height}
            className={value > 0 ? styles.bar : styles.none}
          />
        );
      })}
    </svg>
  );
}
