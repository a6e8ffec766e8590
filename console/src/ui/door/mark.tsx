const DOTS = [
  [15.8, 4.6],
  [9.6, 3.4],
  [5.1, 7.9],
  [5.4, 14],
  [10.6, 17.2],
  [16.4, 14.8],
] as const;

/** The sign of the product: a small circle of people, open to one more. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 21" fill="currentColor" aria-hidden="true">
      {DOTS.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={2.15} />
      ))}
    </svg>
  );
}
