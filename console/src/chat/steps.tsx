import {
  ArrowRightLeft,
  Bot,
  ChevronRight,
  Search,
  TriangleAlert,
  Workflow,
  Wrench,
} from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { readJson } from "../json/json";
import { useText } from "../text/catalogue";
import { formatBytes, formatDuration } from "../text/formats";
import { classes } from "../ui/classes";
import { Long } from "./long";
import styles from "./steps.module.css";
import { chatText } from "./text";
import type { Found, Item } from "./turn";

const JsonView = lazy(async () => ({
  default: (await import("../ui/json-view/json-view")).JsonView,
}));

type StepItem = Exclude<Item, { kind: "text" }>;

/** One thing that was done for an answer, in a quiet line that unfolds. */
export function Step({ item }: { item: StepItem }) {
  const text = useText(chatText);
  switch (item.kind) {
    case "search":
      return (
        <Line
          icon={<Search size={14} />}
          label={item.isFailed ? text.searchFailed : text.searched(item.count)}
          ms={item.ms}
          depth={item.depth}
          isBad={item.isFailed}
        >
          {(item.query || item.found.length > 0) && (
            <>
              {item.query && <p className={styles.query}>{item.query}</p>}
              <Results found={item.found} />
            </>
          )}
        </Line>
      );
    case "tool":
      return (
        <Line
          icon={<Wrench size={14} />}
          label={toolLabel(item, text)}
          ms={item.ms}
          depth={item.depth}
          isBad={item.isError}
          isRunning={item.output === undefined}
        >
          {(item.input || item.output) && (
            <>
              <Value label={text.input} value={item.input} />
              {item.output !== undefined && <Value label={text.output} value={item.output} />}
            </>
          )}
        </Line>
      );
    case "member":
      return (
        <Line
          icon={<Bot size={14} />}
          label={text.member(item.name)}
          ms={item.ms}
          depth={item.depth}
          isBad={item.isError}
          isRunning={item.text === undefined}
        >
          <Value label={text.task} value={item.task} />
          {item.text !== undefined && <Value label={text.output} value={item.text} />}
        </Line>
      );
    case "node":
      return (
        <Line
          icon={<Workflow size={14} />}
          label={text.node(item.name)}
          ms={item.ms}
          depth={item.depth}
          isBad={item.error !== ""}
          isRunning={item.ms === undefined}
        >
          {item.error && <Value label={text.output} value={item.error} />}
        </Line>
      );
    case "switch":
      return (
        <Line icon={<ArrowRightLeft size={14} />} label={text.switched(item.name)} depth={0} />
      );
    case "warning":
      return (
        <Line
          icon={<TriangleAlert size={14} />}
          label={item.text || item.warning}
          depth={0}
          isWarning
        />
      );
  }
}

function toolLabel(
  item: Extract<Item, { kind: "tool" }>,
  text: { calling: Name; called: Name; callFailed: Name },
): string {
  if (item.output === undefined) return text.calling(item.name);
  return item.isError ? text.callFailed(item.name) : text.called(item.name);
}

type Name = (name: string) => string;

type LineProps = {
  icon: ReactNode;
  label: string;
  ms?: number | undefined;
  depth: number;
  isBad?: boolean;
  isWarning?: boolean;
  isRunning?: boolean;
  children?: ReactNode;
};

function Line(props: LineProps) {
  const { icon, label, ms, depth, isBad, isWarning, isRunning, children } = props;
  const words = (
    <>
      {icon}
      <span className={styles.label}>{label}</span>
      {ms !== undefined && <span className={styles.time}>{formatDuration(ms)}</span>}
      {isRunning && <span className={styles.running} aria-hidden="true" />}
    </>
  );
  const name = classes(styles.line, isBad && styles.bad, isWarning && styles.warning);
  const indent = { marginLeft: depth * 16 };
  if (!children)
    return (
      <p className={name} style={indent}>
        {words}
      </p>
    );
  return (
    <details className={styles.step} style={indent}>
      <summary className={name}>
        {words}
        <ChevronRight size={12} className={styles.fold} />
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}

function Results({ found }: { found: readonly Found[] }) {
  return (
    <ol className={styles.results}>
      {found.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result is known by its place alone
        <li key={index}>
          <span className={styles.place}>
            <b>{each.name}</b>
            <span>{each.dataset}</span>
            <span className={styles.time}>{each.score.toFixed(3)}</span>
          </span>
          <Long text={each.content} />
        </li>
      ))}
    </ol>
  );
}

/** A text, as a tree where it is JSON. */
function Value({ label, value }: { label: string; value: string }) {
  const text = useText(chatText);
  const read = /^\s*[[{]/.test(value) ? readJson(value) : undefined;
  return (
    <div className={styles.value}>
      <span className={styles.name}>{label}</span>
      <Suspense fallback={<Long text={value} />}>
        {read !== undefined ? (
          <JsonView label={label} value={read} maxHeight={240} />
        ) : (
          <Long text={value} more={text.showAll(formatBytes(value.length))} />
        )}
      </Suspense>
    </div>
  );
}
