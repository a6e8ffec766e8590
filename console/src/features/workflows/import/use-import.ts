import { useState } from "react";
import { failureOf } from "../../../api/list";
import type { AdminImportReport, AdminWorkflowReview } from "../../../api/schema";
import { useImportWorkflow, usePublishImported } from "../queries";
import { type Mapping, versionNamed, withBrought } from "./rules";

/** What came of one file. */
export type Brought = {
  readonly state: "running" | "done";
  readonly report?: AdminImportReport;
  /** The version that was made of it, for others call it so. */
  readonly version?: string;
  readonly failure?: ReturnType<typeof failureOf>;
};

/** Brings files in, one after the other, whatever is called before what calls it. */
export function useImport(workspaceId: string) {
  const bring = useImportWorkflow(workspaceId);
  const publish = usePublishImported();
  const [brought, setBrought] = useState<ReadonlyMap<number, Brought>>(new Map());
  const [isRunning, setRunning] = useState(false);
  function put(position: number, more: Brought): void {
    setBrought((all) => new Map([...all, [position, { ...all.get(position), ...more }]]));
  }
  async function run(
    review: AdminWorkflowReview,
    texts: readonly string[],
    mapping: Mapping,
  ): Promise<void> {
    setRunning(true);
    const made = new Map<number, string>();
    for (const position of review.order) {
      const item = review.items[position];
      const text = texts[position];
      if (!item || text === undefined || item.problem) continue;
      put(position, { state: "running" });
      try {
        const own = withBrought(mapping, item.resources, made);
        const report = await bring.mutateAsync({ text, name: item.name, mapping: own });
        made.set(position, report.workflow.id);
        put(position, { state: "done", report });
        const version = versionNamed(review.items, position);
        if (version) {
          await publish.mutateAsync({ id: report.workflow.id, version });
          put(position, { state: "done", report, version });
        }
      } catch (error) {
        const known = error instanceof Error ? error : new Error(String(error));
        put(position, { state: "done", failure: failureOf(known) });
      }
    }
    setRunning(false);
  }
  return { brought, isRunning, isOver: brought.size > 0 && !isRunning, run };
}
