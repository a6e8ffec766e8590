import { Play } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Section } from "../forms/input-rows";
import rows from "../forms/rows.module.css";
import type { Placed } from "../model/graph";
import { batchLists, inputsOf } from "../model/output";
import { useCanvasStore } from "../store";
import { canvasText } from "../text";
import { badField, type Draft, draftFrom, inputsFrom, RunForm } from "./run-form";
import { useResults, useRun, useRunControl } from "./run-store";

type Props = { node: Placed; onSave: () => Promise<boolean>; onClose: () => void };

/** Trying one node with inputs of the last run, or typed ones. */
export function NodeRun({ node, onSave, onClose }: Props) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const control = useRunControl();
  const run = useRun();
  const results = useResults(node.id);
  const lists = batchLists(node);
  const own = inputsOf(node)
    .filter((each) => each.reference?.blockId !== node.id)
    .map((each) => ({ ...each.type, name: each.name }));
  const fields = [...lists, ...own];
  const last = results.at(-1)?.input;
  const [first] = useState<Draft>(() => ({
    ...Object.fromEntries(
      inputsOf(node).flatMap((each) =>
        each.literal === undefined ? [] : [[each.name, each.literal]],
      ),
    ),
    ...(typeof last === "object" && last !== null ? draftFrom({ ...last }) : {}),
  }));
  const [draft, setDraft] = useState(first);
  const bad = badField(fields, draft);
  const isRunning = run.nodeId === node.id && (run.isStarting || run.view?.phase === "running");
  async function start(): Promise<void> {
    if (!(await onSave())) return;
    const { root } = store.getState();
    const input = inputsFrom(own, draft);
    await control.startNode(node.id, input, inputsFrom(lists, draft), root);
  }
  return (
    <Section
      title={text.run.thisNode}
      aside={
        <>
          <Button size="compact" kind="quiet" onClick={onClose}>
            {text.close}
          </Button>
          <Button
            size="compact"
            kind="primary"
            icon={<Play size={14} />}
            isLoading={isRunning}
            disabled={bad !== undefined}
            onClick={() => void start()}
          >
            {text.run.start}
          </Button>
        </>
      }
    >
      <div className={rows.stack}>
        <RunForm fields={fields} draft={draft} onChange={setDraft} />
        {run.nodeId === node.id && run.failure && <ErrorLine failure={run.failure} />}
      </div>
    </Section>
  );
}
