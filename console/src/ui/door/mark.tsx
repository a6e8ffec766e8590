const DOTS = [
  [15.88, 16.42],
  [9.63, 18.17],
  [4.46, 14.25],
  [4.46, 7.75],
  [9.63, 3.83],
  [15.88, 5.58],
] as const;

/** The sign of the product: a small circle of people, open to one more. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" fill="currentColor" aria-hidden="true">
      {DOTS.map(([x, y]) => (
        <circle key={y} cx={x} cy={y} r={2.1} />
      ))}
    </svg>
  );
}
