import { useEffect, useRef, useState } from "react";
import type { ApiError } from "../api/errors";
import { asApiError } from "../api/queries";
import type { TrialEvent } from "../api/schema";
import { posted } from "./stream";

/** What came of asking a model, so far. */
export type Trial = {
  state: "asking" | "done" | "stopped" | "failed";
  text: string;
  reasoning: string;
  facts?: Extract<TrialEvent, { type: "reply.completed" }>;
  failure?: ApiError | { message: string };
};

const BEGUN: Trial = { state: "asking", text: "", reasoning: "" };

/** The trial after one more event. */
function taken(trial: Trial, event: TrialEvent): Trial {
  switch (event.type) {
    case "reply.delta":
      return {
        ...trial,
        text: trial.text + event.text,
        reasoning: trial.reasoning + event.reasoning,
      };
    case "reply.replaced":
      return { ...trial, text: event.text, reasoning: event.reasoning };
    case "reply.completed":
      return { ...trial, state: "done", text: trial.text + event.refusal, facts: event };
    default:
      return trial;
  }
}

/** Where a model is asked without an agent. */
export function trialPath(modelId: string): string {
  return `/admin/v1/models/${encodeURIComponent(modelId)}/try`;
}

/** Asks models one call at a time; leaving the page ends the call. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  async function ask(path: string, body: unknown): Promise<void> {
    stop.current?.abort();
    const asked = new AbortController();
    stop.current = asked;
    let now = BEGUN;
    const show = (next: Trial) => {
      now = next;
      if (!asked.signal.aborted) setTrial(next);
    };
    show(BEGUN);
    try {
      for await (const event of posted<TrialEvent>(path, body, asked.signal))
        show(taken(now, event));
    } catch (error) {
      if (asked.signal.aborted) return;
      const failure = asApiError(error) ?? { message: String(error) };
      show({ ...now, state: "failed", failure });
    }
  }
  function end(): void {
    stop.current?.abort();
    setTrial((now) => now && { ...now, state: "stopped" });
  }
  return { trial, ask, stop: end };
}
