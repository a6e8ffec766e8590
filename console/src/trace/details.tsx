import { Link } from "@tanstack/react-router";
import { EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../text/catalogue";
import { formatDuration } from "../text/formats";
import { ServerWords } from "../ui/error-state/server-words";
import { JsonView } from "../ui/json-view/json-view";
import { Tabs } from "../ui/tabs/tabs";
import { traceBodyText } from "./body-text";
import { FactsPane } from "./facts-pane";
import { KindSign } from "./kind-sign";
import { aboveOf, callBefore, type Span } from "./layout";
import { PageView } from "./page-view";
import styles from "./panes.module.css";
import { textOf } from "./prompt";
import { PromptPane } from "./prompt-pane";
import type { Summary, Withheld } from "./queries";
import { Value } from "./value";
import { OutputPane } from "./views";

const PANES = ["input", "output", "facts", "raw"] as const;
type Pane = (typeof PANES)[number];

type Props = {
  trace: Summary;
  spans: readonly Span[];
  span: Span;
  /** Which setting had what was said left out. */
  withheld: Withheld | undefined;
  pane: string | undefined;
  onPane: (pane: Pane) => void;
};

/** One step: what it began with, what came of it, what is known of it. */
export function Details({ trace, spans, span, withheld, pane, onPane }: Props) {
  const text = useText(traceBodyText);
  const hasContent = span.input !== null || span.output !== null;
  const usual: Pane = hasContent ? (span.input === null ? "output" : "input") : "facts";
  const chosen = PANES.find((each) => each === pane) ?? usual;
  const isModel = span.kind === "model";
  const label = (each: Pane) =>
    each === "input" && isModel ? text.panes.prompt : text.panes[each];
  const left = <LeftOut trace={trace} span={span} spans={spans} withheld={withheld} />;
  const panes: Readonly<Record<Pane, () => ReactNode>> = {
    input: () =>
      span.input === null ? (
        left
      ) : isModel ? (
        <PromptPane key={span.id} span={span} body={span.input} before={callBefore(spans, span)} />
      ) : (
        <PageView key={span.id} span={span} side="input">
          <Value label={text.panes.input} value={span.input} />
        </PageView>
      ),
    output: () =>
      span.output === null ? (
        left
      ) : (
        <PageView key={span.id} span={span} side="output">
          <OutputPane
            spans={spans}
            span={span}
            output={span.output}
            workspaceId={trace.workspace_id}
          />
        </PageView>
      ),
    facts: () => <FactsPane span={span} />,
    raw: () => <JsonView key={span.id} label={text.panes.raw} value={span} maxHeight={720} />,
  };
  return (
    <div className={styles.details}>
      <header className={styles.head}>
        <KindSign kind={span.kind} />
        <h2 className={styles.title}>{span.name}</h2>
        <span className={styles.of}>
          {[text.kinds[span.kind] ?? span.kind, formatDuration(span.duration_us / 1000)].join(
            " · ",
          )}
        </span>
        <span className={styles.end}>
          <Way trace={trace} spans={spans} span={span} />
        </span>
      </header>
      {span.error && (
        <p className={styles.error}>
          <ServerWords message={span.error} />
        </p>
      )}
      <div className={styles.tabs}>
        <Tabs
          label={text.pane}
          value={chosen}
          isFilling
          tabs={PANES.map((each) => ({ value: each, label: label(each) }))}
          onChange={onPane}
        >
          <div className={styles.panel}>{panes[chosen]()}</div>
        </Tabs>
      </div>
    </div>
  );
}

type LeftOutProps = Omit<Props, "pane" | "onPane">;

/** Why nothing is to be read here, and where to change it. */
function LeftOut({ trace, spans, withheld }: LeftOutProps) {
  const { withheld: text } = useText(traceBodyText);
  const isGone =
    trace.capture === "content" &&
    spans.every((each) => each.input === null && each.output === null);
  if (trace.capture === "content" && !isGone) return <p className={styles.of}>{text.none}</p>;
  return (
    <div className={styles.withheld}>
      <EyeOff size={20} strokeWidth={1.5} />
      <p>
        <b>{isGone ? text.gone : text.run}</b>
      </p>
      {!isGone && withheld && <p>{text.by[withheld]}</p>}
      {!isGone && withheld !== "request" && <p>{text.where}</p>}
    </div>
  );
}

/** Where a step is made: its node on the canvas, the agent that a tool asks. */
function Way({ trace, spans, span }: { trace: Summary; spans: readonly Span[]; span: Span }) {
  const text = useText(traceBodyText);
  const { workspace_id: workspaceId } = trace;
  const nodeId = textOf(span.attributes["node_id"]);
  const flow = aboveOf(spans, span).find((each) => each.kind === "workflow");
  const workflowId = textOf(flow?.attributes["workflow_id"]) || (trace.workflow_id ?? "");
  if (span.kind === "node" && nodeId && workflowId)
    return (
      <Link
        to="/w/$workspaceId/workflows/$workflowId"
        params={{ workspaceId, workflowId }}
        search={{ node: nodeId, run: span.run_id }}
        className={styles.link}
      >
        {text.openNode}
      </Link>
    );
  const [kind, agentId] = textOf(span.attributes["reference"]).split("/");
  if (kind === "agent" && agentId)
    return (
      <Link
        to="/w/$workspaceId/agents/$agentId"
        params={{ workspaceId, agentId }}
        className={styles.link}
      >
        {text.openTool}
      </Link>
    );
  return null;
}
