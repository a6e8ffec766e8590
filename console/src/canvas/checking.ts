import { useEffect } from "react";
import type { AdminFindingsList } from "../api/schema";
import { transport } from "../api/transport";
import { write } from "./document/tree";
import { useProblemStore } from "./problems";
import { useCanvas } from "./store";

const REST_MS = 400;

/** Lets the server check the text as it stands; the answer for an older text is dropped. */
export function useChecking(workflowId: string): void {
  const root = useCanvas((state) => state.root);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const problems = useProblemStore();
  useEffect(() => {
    if (isReadOnly) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      problems.setState({ state: "checking" });
      const request = new Request(
        `${location.origin}/admin/v1/workflows/${encodeURIComponent(workflowId)}/validate`,
        {
          method: "POST",
          body: write(root),
          headers: { "Content-Type": "application/json" },
          signal: stop.signal,
        },
      );
      try {
        const body: unknown = await (await transport(request)).json();
        if (stop.signal.aborted || !isFindings(body)) return;
        problems.setState({ all: body.items[0]?.diagnostics ?? [], state: "ready" });
      } catch {
        if (!stop.signal.aborted) problems.setState({ state: "failed" });
      }
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [root, workflowId, problems, isReadOnly]);
}

function isFindings(body: unknown): body is AdminFindingsList {
  return typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items);
}
