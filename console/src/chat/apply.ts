import type { RunEvent } from "../stream/run";
import { askedOf } from "./asked";
import type { FileRef } from "./client";
import { type Fields, flagAt, numberAt, recordAt, recordsAt, textAt, textsAt } from "./fields";
import { sourceOf } from "./sources-of";
import type { Found, Item, Meter, Turn, Waiting } from "./turn";

type Text = Extract<Item, { kind: "text" }>;
type Rule = (turn: Turn, data: Fields, seq: number) => Turn;

/** A turn after one more event of its run; events that it does not know change nothing. */
export function applied(turn: Turn, { name, data, seq }: RunEvent): Turn {
  const rule = RULES.get(name);
  return rule ? rule(turn, data, seq) : turn;
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["run.created", began],
  ["run.started", (turn, data) => ({ ...began(turn, data), state: "running", waiting: undefined })],
  ["step.started", (turn) => ({ ...turn, meter: { ...turn.meter, steps: turn.meter.steps + 1 } })],
  ["message.started", (turn, data) => withText(turn, textAt(data, "message_id"), (text) => text)],
  ["message.delta", written],
  ["message.replaced", replaced],
  ["message.completed", completed],
  ["knowledge.recalled", searched],
  ["tool.started", called],
  ["tool.completed", returned],
  ["agent.started", memberStarted],
  ["agent.ended", memberEnded],
  [
    "agent.switched",
    (turn, data, seq) => added(turn, { kind: "switch", id: `s${seq}`, name: textAt(data, "name") }),
  ],
  ["flow_node.started", nodeStarted],
  ["flow_node.ended", nodeEnded],
  [
    "warning",
    (turn, data, seq) =>
      added(turn, {
        kind: "warning",
        id: `w${seq}`,
        warning: textAt(data, "warning"),
        text: textAt(data, "text"),
      }),
  ],
  ["run.requires_action", waits],
  ["run.completed", (turn, data) => ended(turn, data, "completed")],
  ["run.canceled", (turn, data) => ended(turn, data, "canceled")],
  ["run.failed", (turn, data) => ended(turn, data, "failed")],
]);

function began(turn: Turn, data: Fields): Turn {
  const run = recordAt(data, "run");
  const beganMs = turn.meter.beganMs || numberAt(data, "at_ms");
  return {
    ...turn,
    runId: textAt(run, "id") || turn.runId,
    at: turn.at || numberAt(run, "created_at"),
    state: turn.state === "asking" ? "running" : turn.state,
    meter: { ...turn.meter, beganMs },
  };
}

function added(turn: Turn, item: Item): Turn {
  return { ...turn, items: [...turn.items, item] };
}

/** Changes the text of a message, which begins where it is not there yet. */
function withText(turn: Turn, id: string, change: (text: Text) => Text): Turn {
  const index = turn.items.findIndex((item) => item.kind === "text" && item.id === id);
  const found = turn.items[index];
  if (found?.kind === "text") {
    const items = [...turn.items];
    items[index] = change(found);
    return { ...turn, items };
  }
  const fresh: Text = {
    kind: "text",
    id,
    text: "",
    reasoning: "",
    reasoningMs: undefined,
    isDone: false,
    sources: [],
    files: [],
    isBroken: false,
  };
  return added(turn, change(fresh));
}

function written(turn: Turn, data: Fields): Turn {
  const [more, thought] = [textAt(data, "text"), textAt(data, "reasoning")];
  const sinceMs = numberAt(data, "at_ms") - turn.meter.beganMs;
  const isFirst = more !== "" && turn.meter.firstTokenMs === undefined;
  const next = withText(turn, textAt(data, "message_id"), (text) => ({
    ...text,
    text: text.text + more,
    reasoning: text.reasoning + thought,
    reasoningMs: text.reasoning && more ? (text.reasoningMs ?? sinceMs) : text.reasoningMs,
  }));
  return isFirst ? { ...next, meter: { ...next.meter, firstTokenMs: sinceMs } } : next;
}

function replaced(turn: Turn, data: Fields): Turn {
  return withText(turn, textAt(data, "message_id"), (text) => ({
    ...text,
    text: textAt(data, "text"),
    reasoning: textAt(data, "reasoning") || text.reasoning,
  }));
}

function completed(turn: Turn, data: Fields): Turn {
  const message = recordAt(data, "message");
  const [id, kind] = [textAt(message, "id"), textAt(message, "kind")];
  if (kind === "follow_up") {
    return { ...turn, followUps: [...turn.followUps, textAt(message, "text")] };
  }
  if (kind !== "answer") return turn;
  const next = withText(turn, id, (text) => ({
    ...text,
    text: textAt(message, "text"),
    reasoning: textAt(message, "reasoning") || text.reasoning,
    sources: recordsAt(recordAt(message, "citations"), "cards").map(sourceOf),
    files: recordsAt(message, "files").map(fileOf),
    isBroken: flagAt(message, "is_broken"),
    isDone: true,
  }));
  return { ...next, answerId: id };
}

function fileOf(file: Fields): FileRef {
  return {
    name: textAt(file, "name"),
    url: textAt(file, "url"),
    isImage: /^image\/(png|jpeg|gif|webp)$/.test(textAt(file, "media_type")),
  };
}

function searched(turn: Turn, data: Fields, seq: number): Turn {
  const found = recordsAt(data, "chunks").map(
    (chunk): Found => ({
      name: textAt(chunk, "document_name"),
      dataset: textAt(chunk, "dataset_name"),
      content: textAt(chunk, "content"),
      score: numberAt(chunk, "score"),
    }),
  );
  return added(turn, {
    kind: "search",
    id: `k${seq}`,
    query: textAt(data, "query"),
    found,
    count: found.length || numberAt(data, "count"),
    isFailed: flagAt(data, "is_failed"),
    ms: numberAt(data, "duration_ms"),
    depth: depthOf(data),
  });
}

function called(turn: Turn, data: Fields): Turn {
  return added(turn, {
    kind: "tool",
    id: textAt(data, "call_id"),
    name: textAt(data, "name"),
    input: textAt(data, "arguments"),
    output: undefined,
    isError: false,
    ms: undefined,
    depth: depthOf(data),
  });
}

function returned(turn: Turn, data: Fields): Turn {
  const id = textAt(data, "call_id");
  return changed(turn, (item) =>
    item.kind === "tool" && item.id === id && item.output === undefined
      ? {
          ...item,
          output: textAt(data, "result"),
          isError: flagAt(data, "is_error"),
          ms: numberAt(data, "duration_ms"),
        }
      : item,
  );
}

function memberStarted(turn: Turn, data: Fields): Turn {
  const call = recordsAt(data, "agent_path").at(-1) ?? {};
  return added(turn, {
    kind: "member",
    id: textAt(call, "call_id"),
    name: textAt(call, "name"),
    task: textAt(data, "task"),
    text: undefined,
    isError: false,
    ms: undefined,
    depth: depthOf(data) - 1,
  });
}

function memberEnded(turn: Turn, data: Fields): Turn {
  const id = textAt(recordsAt(data, "agent_path").at(-1) ?? {}, "call_id");
  return changed(turn, (item) =>
    item.kind === "member" && item.id === id
      ? {
          ...item,
          text: textAt(data, "text"),
          isError: flagAt(data, "is_error"),
          ms: numberAt(data, "duration_ms"),
        }
      : item,
  );
}

function nodeStarted(turn: Turn, data: Fields, seq: number): Turn {
  return added(turn, {
    kind: "node",
    id: `${textAt(data, "node_id")} ${seq}`,
    name: textAt(data, "name"),
    error: "",
    ms: undefined,
    depth: 0,
  });
}

function nodeEnded(turn: Turn, data: Fields): Turn {
  const id = `${textAt(data, "node_id")} `;
  const [error, ms] = [textAt(data, "error"), numberAt(data, "duration_ms")];
  return changed(turn, (item) =>
    item.kind === "node" && item.id.startsWith(id) && item.ms === undefined
      ? { ...item, error, ms }
      : item,
  );
}

function changed(turn: Turn, change: (item: Item) => Item): Turn {
  return { ...turn, items: turn.items.map(change) };
}

function depthOf(data: Fields): number {
  return recordsAt(data, "agent_path").length;
}

function waits(turn: Turn, data: Fields): Turn {
  const waiting = waitingOf(recordAt(recordAt(data, "run"), "waits_for"));
  return { ...ended(turn, data, "waiting"), waiting };
}

function waitingOf(waits: Fields): Waiting {
  const calls = recordsAt(waits, "calls").map((call) => ({
    id: textAt(call, "id"),
    name: textAt(call, "name"),
    input: textAt(call, "arguments"),
  }));
  return {
    calls,
    outputIds: textsAt(waits, "output_ids"),
    asked: askedOf(recordAt(waits, "asked")),
  };
}

function ended(turn: Turn, data: Fields, state: Turn["state"]): Turn {
  const run = recordAt(data, "run");
  const usage = recordAt(run, "usage");
  const error = recordAt(run, "error");
  const meter: Meter = {
    ...turn.meter,
    endedMs: numberAt(data, "at_ms") - turn.meter.beganMs,
    input: numberAt(usage, "input_tokens"),
    output: numberAt(usage, "output_tokens"),
    cached: numberAt(usage, "cached_tokens"),
  };
  const failed =
    state === "failed"
      ? { code: numberAt(error, "code"), message: textAt(error, "message") }
      : undefined;
  return { ...turn, state, meter, failed };
}
