import type { Asked } from "./asked";
import type { FileRef, Verdict } from "./client";

/** A place of the knowledge that an answer rests on. */
export type Source = {
  n: number;
  documentId: string;
  name: string;
  page: number | undefined;
  quote: string;
  /** Where it can be opened; empty where it cannot. */
  url: string;
};

/** A slice that a search found, with how well it fits. */
export type Found = { name: string; dataset: string; content: string; score: number };

/** What an answer is made of, in the order in which it came. */
export type Item =
  | {
      kind: "text";
      id: string;
      text: string;
      reasoning: string;
      reasoningMs: number | undefined;
      isDone: boolean;
      sources: readonly Source[];
      files: readonly FileRef[];
      /** It ended in the middle. */
      isBroken: boolean;
    }
  | {
      kind: "tool";
      id: string;
      name: string;
      input: string;
      output: string | undefined;
      isError: boolean;
      ms: number | undefined;
      depth: number;
    }
  | {
      kind: "search";
      id: string;
      query: string;
      found: readonly Found[];
      /** How many there are, where they are not shown. */
      count: number;
      isFailed: boolean;
      ms: number;
      depth: number;
    }
  | {
      kind: "member";
      id: string;
      name: string;
      task: string;
      text: string | undefined;
      isError: boolean;
      ms: number | undefined;
      depth: number;
    }
  | {
      kind: "node";
      id: string;
      name: string;
      error: string;
      ms: number | undefined;
      depth: number;
    }
  | { kind: "switch"; id: string; name: string }
  | { kind: "warning"; id: string; warning: string; text: string };

export type Call = { id: string; name: string; input: string };

/** What a run waits for: calls that a person decides on or does; none: an answer to what is asked. */
export type Waiting = {
  calls: readonly Call[];
  outputIds: readonly string[];
  asked: Asked | undefined;
};

type TurnState = "asking" | "running" | "waiting" | "completed" | "failed" | "canceled";

export type Meter = {
  beganMs: number;
  firstTokenMs: number | undefined;
  endedMs: number | undefined;
  steps: number;
  input: number;
  output: number;
  cached: number;
};

/** What is known of a run beyond its events; points as people read them. */
export type Measured = {
  firstTokenMs: number | undefined;
  totalMs: number;
  steps: number;
  input: number;
  output: number;
  cached: number;
  cost: string | undefined;
};

type Failed = { code: number; message: string };

/** A question with all that came of it. */
export type Turn = {
  key: string;
  runId: string | undefined;
  question: { messageId: string | undefined; text: string; files: readonly FileRef[] } | undefined;
  state: TurnState;
  items: readonly Item[];
  followUps: readonly string[];
  waiting: Waiting | undefined;
  meter: Meter;
  failed: Failed | undefined;
  answerId: string | undefined;
  verdict: Verdict | undefined;
  /** Seconds since 1970; 0 where nobody said. */
  at: number;
  /** Which state of the agent answered, as whoever asked counts them. */
  revision: number | undefined;
};

export function newTurn(key: string, text: string): Turn {
  return {
    key,
    runId: undefined,
    question: { messageId: undefined, text, files: [] },
    state: "asking",
    items: [],
    followUps: [],
    waiting: undefined,
    meter: {
      beganMs: 0,
      firstTokenMs: undefined,
      endedMs: undefined,
      steps: 0,
      input: 0,
      output: 0,
      cached: 0,
    },
    failed: undefined,
    answerId: undefined,
    verdict: undefined,
    at: 0,
    revision: undefined,
  };
}

/** The answer as plain text, without its steps. */
export function textOf(turn: Turn): string {
  return turn.items
    .flatMap((item) => (item.kind === "text" && item.text ? [item.text] : []))
    .join("\n\n");
}

const NO_SOURCES: readonly Source[] = [];

export function sourcesOf(turn: Turn): readonly Source[] {
  const all = turn.items.flatMap((item) => (item.kind === "text" ? item.sources : []));
  return all.length > 0
    ? [...new Map(all.map((source) => [source.n, source])).values()]
    : NO_SOURCES;
}

export function isOver(turn: Turn): boolean {
  return turn.state !== "asking" && turn.state !== "running";
}
