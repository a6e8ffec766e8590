import type { ReactNode } from "react";
import { useText } from "../text/catalogue";
import { formatBytes, formatDuration, formatNumber } from "../text/formats";
import { traceBodyText } from "./body-text";
import { formatPoints } from "./figures";
import type { Span } from "./layout";
import styles from "./panes.module.css";

/** What is known of a step besides what was said. */
export function FactsPane({ span }: { span: Span }) {
  const text = useText(traceBodyText);
  const { usage } = span;
  const own: readonly (readonly [string, ReactNode])[] = [
    [text.begins, formatDuration(span.start_us / 1000)],
    [text.took, formatDuration(span.duration_us / 1000)],
    ...(usage
      ? [
          [
            text.tokens,
            [
              `${formatNumber(usage.input_tokens)} → ${formatNumber(usage.output_tokens)}`,
              usage.cached_tokens > 0 && text.cached(usage.cached_tokens),
              usage.reasoning_tokens > 0 && text.reasoning(usage.reasoning_tokens),
              usage.estimated && text.estimated,
            ]
              .filter(Boolean)
              .join(" · "),
          ] as const,
        ]
      : []),
    ...(Number(span.cost) > 0 ? [[text.cost, formatPoints(span.cost)] as const] : []),
    ...(span.error_code > 0 ? [[text.errorCode, String(span.error_code)] as const] : []),
  ];
  const told = Object.entries(span.attributes).filter(([, value]) => value !== "");
  return (
    <dl className={styles.facts}>
      {own.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{text.facts[name] ?? name}</dt>
          <dd>{shown(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(name: string, value: unknown): string {
  if (typeof value === "number") {
    if (name.endsWith("_ms")) return formatDuration(value);
    if (name.endsWith("_bytes")) return formatBytes(value);
    return formatNumber(value);
  }
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
