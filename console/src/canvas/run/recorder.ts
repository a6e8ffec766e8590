import type { AdminNodeRun, AdminProcess, EventInterrupt, WorkflowEvent } from "../../api/schema";
import type { NodeMark, NodeState } from "./overlay";

/** One time that a node was carried out. */
export type NodeResult = {
  readonly key: string;
  readonly nodeId: string;
  readonly state: NodeState;
  readonly input: unknown;
  readonly output: unknown;
  readonly raw: string;
  readonly error: string;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  readonly tokens: number;
  readonly index: number | null;
  /** Where it was left, as runs call it; empty where there is one way. */
  readonly port: string;
};

export type Said = { readonly nodeId: string; readonly title: string; readonly text: string };

export type Pending = {
  readonly id: string;
  readonly kind: number;
  readonly title: string;
  readonly data: string;
};

/** A run as far as it is known. */
export type RunView = {
  readonly phase: "running" | "success" | "failed" | "cancelled" | "interrupted";
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly results: ReadonlyMap<string, readonly NodeResult[]>;
  readonly said: readonly Said[];
  readonly pending: readonly Pending[];
  readonly output: string;
  readonly error: string;
  readonly tokens: number;
  readonly durationMs: number;
  /** How many of the nodes that began have ended. */
  readonly ended: number;
  readonly begun: number;
};

const EMPTY: NodeMark = {
  state: "pending",
  durationMs: 0,
  ended: 0,
  begun: 0,
  error: "",
  port: "",
};

/** Puts the events of a run together; nothing is drawn before it is asked what it knows. */
export class RunRecorder {
  private phase: RunView["phase"] = "running";
  private readonly marks = new Map<string, NodeMark>();
  private readonly results = new Map<string, Map<string, NodeResult>>();
  private readonly said = new Map<string, Said>();
  private pending: readonly Pending[] = [];
  private output = "";
  private error = "";
  private tokens = 0;
  private begunAt = 0;
  private lastAt = 0;
  private ended = 0;
  private begun = 0;

  take(event: WorkflowEvent): void {
    if ("at_ms" in event) {
      this.begunAt ||= event.at_ms;
      this.lastAt = Math.max(this.lastAt, event.at_ms);
    }
    switch (event.type) {
      case "run_began":
        this.phase = "running";
        this.pending = [];
        return;
      case "node_began": {
        const old = this.marks.get(event.node_id) ?? EMPTY;
        const known = this.results.get(event.node_id)?.get(event.path.join("/"));
        const isAgain = known !== undefined && known.state === "waiting";
        this.marks.set(event.node_id, {
          ...old,
          state: "running",
          begun: old.begun + (isAgain ? 0 : 1),
        });
        this.begun += isAgain ? 0 : 1;
        this.put({
          ...blankResult(event.path, event.node_id),
          state: "running",
          input: event.inputs,
          index: event.index,
        });
        return;
      }
      case "node_ended":
        this.endNode(event);
        return;
      case "message": {
        if (event.is_reasoning) return;
        const key = event.path.join("/");
        const old = this.said.get(key)?.text ?? "";
        this.said.set(key, {
          nodeId: event.node_id,
          title: event.node_title,
          text: old + event.text,
        });
        return;
      }
      case "asked":
        this.markWaiting(event.interrupt);
        return;
      case "run_interrupted":
        this.phase = "interrupted";
        this.pending = event.pending.map(pendingOf);
        for (const each of event.pending) this.markWaiting(each);
        return;
      case "run_ended":
        this.phase =
          event.phase === "success" || event.phase === "cancelled" ? event.phase : "failed";
        this.output = event.output;
        this.error = event.fault?.message ?? "";
        this.tokens = event.input_tokens + event.output_tokens;
        this.pending = [];
        return;
      default:
        return;
    }
  }

  private endNode(event: Extract<WorkflowEvent, { type: "node_ended" }>): void {
    const old = this.marks.get(event.node_id) ?? EMPTY;
    const state = stateOf(event.status);
    const error = event.error?.message ?? "";
    const isDone = state !== "waiting";
    this.ended += isDone ? 1 : 0;
    this.marks.set(event.node_id, {
      state: old.state === "failed" ? "failed" : state,
      durationMs: old.durationMs + event.duration_ms,
      ended: old.ended + (isDone ? 1 : 0),
      begun: Math.max(old.begun, 1),
      error: error || old.error,
      port: event.port,
    });
    const known = this.results.get(event.node_id)?.get(event.path.join("/"));
    this.put({
      ...blankResult(event.path, event.node_id),
      state,
      input: known?.input,
      output: event.output,
      raw: event.raw_output,
      error,
      warnings: event.warnings,
      durationMs: event.duration_ms,
      tokens: event.input_tokens + event.output_tokens,
      index: event.index,
      port: event.port,
    });
  }

  private markWaiting(interrupt: EventInterrupt): void {
    const id = interrupt.node_id;
    this.marks.set(id, { ...(this.marks.get(id) ?? EMPTY), state: "waiting" });
  }

  private put(result: NodeResult): void {
    const own = this.results.get(result.nodeId) ?? new Map<string, NodeResult>();
    own.set(result.key, result);
    this.results.set(result.nodeId, own);
  }

  view(): RunView {
    return {
      phase: this.phase,
      marks: new Map(this.marks),
      results: new Map([...this.results].map(([id, own]) => [id, [...own.values()]])),
      said: [...this.said.values()],
      pending: this.pending,
      output: this.output,
      error: this.error,
      tokens: this.tokens,
      durationMs: Math.max(0, this.lastAt - this.begunAt),
      ended: this.ended,
      begun: this.begun,
    };
  }
}

function blankResult(path: readonly string[], nodeId: string): NodeResult {
  return {
    key: path.join("/"),
    nodeId,
    state: "pending",
    input: undefined,
    output: undefined,
    raw: "",
    error: "",
    warnings: [],
    durationMs: 0,
    tokens: 0,
    index: null,
    port: "",
  };
}

function stateOf(status: "cancelled" | "failed" | "interrupted" | "success"): NodeState {
  if (status === "success") return "success";
  return status === "interrupted" ? "waiting" : "failed";
}

function pendingOf(interrupt: EventInterrupt): Pending {
  return {
    id: interrupt.id,
    kind: Number(interrupt.kind),
    title: interrupt.node_title,
    data: interrupt.data,
  };
}

const PHASES: Readonly<Record<number, RunView["phase"]>> = {
  1: "running",
  2: "success",
  3: "failed",
  4: "cancelled",
  5: "interrupted",
};
const STATES: Readonly<Record<number, NodeState>> = {
  1: "waiting",
  2: "running",
  3: "success",
  4: "failed",
};

/** A run of the past, as it was recorded. */
export function recordedRun(process: AdminProcess): RunView {
  const marks = new Map<string, NodeMark>();
  const results = new Map<string, NodeResult[]>();
  const read = (node: AdminNodeRun): void => {
    const old = marks.get(node.node_id) ?? EMPTY;
    const state = STATES[node.status] ?? "success";
    marks.set(node.node_id, {
      state: old.state === "failed" ? "failed" : state,
      durationMs: old.durationMs + node.duration_ms,
      ended: old.ended + (node.status > 2 ? 1 : 0),
      begun: old.begun + 1,
      error: node.error?.message ?? old.error,
      port: node.port,
    });
    const own = results.get(node.node_id) ?? [];
    own.push({
      key: node.id,
      nodeId: node.node_id,
      state,
      input: node.input,
      output: node.output,
      raw: node.raw_output,
      error: node.error?.message ?? "",
      warnings: node.warnings,
      durationMs: node.duration_ms,
      tokens: node.tokens.total,
      index: node.index,
      port: node.port,
    });
    results.set(node.node_id, own);
    node.batch.forEach(read);
  };
  process.nodes.forEach(read);
  const first = Math.min(...process.nodes.map((each) => each.started_at_ms));
  const last = Math.max(...process.nodes.map((each) => each.started_at_ms + each.duration_ms));
  return {
    phase: PHASES[process.status] ?? "running",
    marks,
    results,
    said: [],
    pending: process.interrupts.map((each) => ({
      id: each.id,
      kind: each.type,
      title: each.node_title,
      data: each.data,
    })),
    output: process.output,
    error: process.error?.message ?? "",
    tokens: process.tokens.total,
    durationMs: process.nodes.length > 0 ? Math.max(0, last - first) : 0,
    ended: [...marks.values()].reduce((sum, each) => sum + each.ended, 0),
    begun: [...marks.values()].reduce((sum, each) => sum + each.begun, 0),
  };
}
