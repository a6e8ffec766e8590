import { useEffect } from "react";
import type { AdminFindingsList } from "../api/schema";
import { transport } from "../api/transport";
import { write } from "./document/tree";
import { useProblemStore } from "./problems";
import { useCanvas, useCanvasStore } from "./store";

const REST_MS = 400;

/** Lets the server check the text as it stands; the answer for an older text is dropped. */
export function useChecking(workflowId: string): void {
  const store = useCanvasStore();
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const problems = useProblemStore();
  useEffect(() => {
    if (isReadOnly) return;
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async ({ signal }: AbortController): Promise<void> => {
      problems.setState({ state: "checking" });
      // Without a body the server checks the draft that it has.
      const { root, saved } = store.getState();
      const request = new Request(
        `${location.origin}/admin/v1/workflows/${encodeURIComponent(workflowId)}/validate`,
        {
          method: "POST",
          ...(root === saved
            ? {}
            : { body: write(root), headers: { "Content-Type": "application/json" } }),
          signal,
        },
      );
      try {
        const body: unknown = await (await transport(request)).json();
        if (signal.aborted || !isFindings(body)) return;
        problems.setState({ all: body.items[0]?.diagnostics ?? [], state: "ready" });
      } catch {
        if (!signal.aborted) problems.setState({ state: "failed" });
      }
    };
    const begin = () => {
      clearTimeout(timer);
      stop.abort();
      stop = new AbortController();
      timer = setTimeout(() => void ask(stop), REST_MS);
    };
    begin();
    const unsubscribe = store.subscribe((now, old) => {
      if (now.root !== old.root) begin();
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
      stop.abort();
    };
  }, [workflowId, problems, isReadOnly, store]);
}

function isFindings(body: unknown): body is AdminFindingsList {
  return typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items);
}
