import { ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { AdminSpan, AdminSpanPair } from "../../api/schema";
import { readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { traceBodyText } from "../../trace/body-text";
import { KindSign } from "../../trace/kind-sign";
import { Difference } from "../../ui/difference/difference";
import { Switch } from "../../ui/switch/switch";
import styles from "./compare.module.css";

const FIELDS = ["status", "error_code", "error", "input", "output", "usage", "attributes"] as const;
type Field = (typeof FIELDS)[number];
/** Told by every call anew; what differs in them alone is no difference. */
const PASSING = new Set(["first_token_ms", "chunks", "response_id", "request_id", "call_id"]);

type Props = {
  pairs: readonly AdminSpanPair[];
  hasAll: boolean;
  onAll: (hasAll: boolean) => void;
};

/** Steps of both runs below each other, with what is not the same in them. */
export function Pairs({ pairs, hasAll, onAll }: Props) {
  const { compare: text } = useText(traceBodyText);
  const depths = useMemo(() => depthsOf(pairs), [pairs]);
  const shown = pairs.filter((pair) => hasAll || stateOf(pair) !== "equal");
  return (
    <section className={styles.steps} aria-label={text.steps}>
      <header className={styles.head}>
        <h2 className={styles.title}>{text.steps}</h2>
        <Switch label={text.onlyChanges} isOn={!hasAll} onChange={(isOn) => onAll(!isOn)} />
      </header>
      {shown.length === 0 && <p className={styles.note}>{text.noChanges}</p>}
      <ul className={styles.list}>
        {shown.map((pair) => (
          <li key={`${pair.left?.id ?? ""}/${pair.right?.id ?? ""}`}>
            <Pair pair={pair} depth={depths.get(pair) ?? 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pair({ pair, depth }: { pair: AdminSpanPair; depth: number }) {
  const { compare: text } = useText(traceBodyText);
  const span = pair.left ?? pair.right;
  const state = stateOf(pair);
  const changed = differencesOf(pair);
  if (!span) return null;
  const line = (
    <>
      <KindSign kind={span.kind} />
      <span className={styles.name}>{span.name}</span>
      <span className={styles.state} data-state={state}>
        {state === "changed"
          ? changed.map(({ field }) => text.fields[field]).join(" · ")
          : text.states[state]}
      </span>
      <span className={styles.took}>{tookOf(pair, text)}</span>
    </>
  );
  if (changed.length === 0)
    return (
      <div className={styles.line} style={{ paddingLeft: 28 + depth * 14 }}>
        {line}
      </div>
    );
  return (
    <details className={styles.pair}>
      <summary className={styles.line} style={{ paddingLeft: 8 + depth * 14 }}>
        <ChevronRight size={12} className={styles.arrow} />
        {line}
      </summary>
      <div className={styles.fields} style={{ paddingLeft: 28 + depth * 14 }}>
        {changed.map(({ field, left, right }) => (
          <div key={field}>
            <h3 className={styles.field}>{text.fields[field]}</h3>
            <Difference
              label={text.fields[field]}
              left={left || text.nothing}
              right={right || text.nothing}
            />
          </div>
        ))}
      </div>
    </details>
  );
}

type Text = ReturnType<typeof useText<typeof import("../../trace/body-text.en").text>>["compare"];

function tookOf({ left, right, duration_us: more }: AdminSpanPair, text: Text): string {
  const span = left ?? right;
  if (!left || !right) return formatDuration((span?.duration_us ?? 0) / 1000);
  const took = formatDuration(Math.abs(more) / 1000);
  if (more === 0) return "";
  return more > 0 ? text.longer(took) : text.shorter(took);
}

type Changed = { field: Field; left: string; right: string };

function differencesOf({ left, right, changed }: AdminSpanPair): readonly Changed[] {
  if (!left || !right) return [];
  return FIELDS.filter((field) => changed.includes(field)).flatMap((field) => {
    const [one, other] = [said(left, field), said(right, field)];
    return one === other ? [] : [{ field, left: one, right: other }];
  });
}

function stateOf(pair: AdminSpanPair): "equal" | "changed" | "left" | "right" {
  if (!pair.right) return "left";
  if (!pair.left) return "right";
  return differencesOf(pair).length > 0 ? "changed" : "equal";
}

/** What a step says in a field as people compare it: JSON in lines. */
function said(span: AdminSpan, field: Field): string {
  if (field === "attributes") {
    const facts = Object.entries(span.attributes).filter(([name]) => !PASSING.has(name));
    return lines(Object.fromEntries(facts));
  }
  const value = span[field];
  if (typeof value !== "string") return value === null || value === 0 ? "" : lines(value);
  if (!/^\s*[[{]/.test(value)) return value;
  const read = readJson(value);
  return read === undefined ? value : lines(read);
}

function lines(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** How deep each pair lies in the run that has it. */
function depthsOf(pairs: readonly AdminSpanPair[]): ReadonlyMap<AdminSpanPair, number> {
  const bySpan = new Map<string, number>();
  const found = new Map<AdminSpanPair, number>();
  for (const pair of pairs) {
    const above =
      bySpan.get(`left/${pair.left?.parent_id}`) ?? bySpan.get(`right/${pair.right?.parent_id}`);
    const depth = above === undefined ? 0 : above + 1;
    if (pair.left) bySpan.set(`left/${pair.left.id}`, depth);
    if (pair.right) bySpan.set(`right/${pair.right.id}`, depth);
    found.set(pair, depth);
  }
  return found;
}
