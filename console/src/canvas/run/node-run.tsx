import { Play } from "lucide-react";
import { useState } from "react";
import { asRecord } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Section } from "../forms/input-rows";
import rows from "../forms/rows.module.css";
import { useFixedOutputs } from "../kinds";
import { graphOf, type Placed } from "../model/graph";
import { batchLists, inputsOf } from "../model/output";
import { readOutside, valueAt } from "../model/outside";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { badField, type Draft, draftFrom, inputsFrom, RunForm } from "./run-form";
import { useResults, useRun, useRunControl } from "./run-store";

type Props = { node: Placed; onSave: () => Promise<boolean>; onClose: () => void };

/** Trying one node with inputs of the last run, or typed ones; also with what it reads elsewhere. */
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
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const outside = readOutside(graph, node, fixed);
  const taken = [...own, ...outside.map((each) => each.field)];
  const fields = [...lists, ...taken];
  const last = results.at(-1)?.input;
  const [first] = useState<Draft>(() => ({
    ...Object.fromEntries(
      inputsOf(node).flatMap((each) =>
        each.literal === undefined ? [] : [[each.name, each.literal]],
      ),
    ),
    ...draftFrom(asRecord(last)),
    ...draftFrom(
      Object.fromEntries(
        outside.flatMap(({ field, blockId, segments }) => {
          const value = valueAt(run.view?.results.get(blockId)?.at(-1)?.output, segments);
          return value === undefined ? [] : [[field.name, value]];
        }),
      ),
    ),
  }));
  const [draft, setDraft] = useState(first);
  const bad = badField(fields, draft);
  const isRunning = run.nodeId === node.id && (run.isStarting || run.view?.phase === "running");
  async function start(): Promise<void> {
    if (!(await onSave())) return;
    const { root } = store.getState();
    const input = inputsFrom(taken, draft);
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
        <RunForm
          fields={fields}
          draft={draft}
          onChange={setDraft}
          labels={new Map(outside.map(({ field, label }) => [field.name, label]))}
          nothing={text.run.nodeNeedsNothing}
        />
        {run.nodeId === node.id && run.failure && <ErrorLine failure={run.failure} />}
      </div>
    </Section>
  );
}
