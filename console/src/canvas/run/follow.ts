import { asApiError } from "../../api/queries";
import type { WorkflowEvent } from "../../api/schema";
import { transport } from "../../api/transport";
import { sseEvents } from "../../stream/sse";

const PAUSES_MS = [200, 500, 1000, 2000, 4000, 8000];
const NAMES = new Set([
  "run_began",
  "message",
  "node_began",
  "node_ended",
  "asked",
  "run_interrupted",
  "run_ended",
]);

/**
 * The events of a run, each once, until it ends or waits for an answer; what breaks is opened
 * again behind the last number.
 */
export async function* workflowEvents(
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<{ seq: number; event: WorkflowEvent }> {
  let last = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const response = await transport(
        new Request(
          `${location.origin}/admin/v1/workflow-runs/${encodeURIComponent(runId)}/events?after=${last}`,
          { signal, headers: { Accept: "text/event-stream" } },
        ),
      );
      if (!response.body) return;
      for await (const { id, data } of sseEvents(response.body)) {
        const seq = Number(id);
        const event: unknown = JSON.parse(data);
        if (!isEvent(event) || !(seq > last)) continue;
        last = seq;
        failures = 0;
        yield { seq, event };
        if (event.type === "run_ended" || event.type === "run_interrupted") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const status = asApiError(error)?.status ?? 0;
      if (status >= 400 && status < 500) throw error;
    }
    await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0, signal);
  }
}

function isEvent(value: unknown): value is WorkflowEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    NAMES.has(value.type)
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    addEventListener("online", go, { once: true });
    signal.addEventListener("abort", go, { once: true });
  });
}
