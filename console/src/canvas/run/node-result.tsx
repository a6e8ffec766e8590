import { ChevronLeft, ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ServerWords } from "../../ui/error-state/server-words";
import { Tabs } from "../../ui/tabs/tabs";
import type { Placed } from "../model/graph";
import { isEnd } from "../model/kind";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { BranchResult } from "./branch-result";
import { RepeatForm } from "./repeat-form";
import styles from "./run-panel.module.css";
import { useResults, useRun, useRunControl } from "./run-store";
import { ValueView } from "./value-view";

/** What a node did in the run that is laid over the canvas, iteration by iteration. */
export function NodeResultView({ node, onSave }: { node: Placed; onSave: () => Promise<boolean> }) {
  const text = useText(canvasText);
  const control = useRunControl();
  const store = useCanvasStore();
  const run = useRun();
  const root = useCanvas((state) => state.root);
  const results = useResults(node.id);
  const [chosen, setChosen] = useState<number>();
  const [isRepeating, setRepeating] = useState(false);
  const [tab, setTab] = useState<"output" | "input" | "raw">("output");
  const at = Math.min(chosen ?? results.length - 1, results.length - 1);
  const result = results[at];
  if (!result) return null;
  const isOld = run.root !== undefined && run.root !== root;
  const isOver = run.view && !["running", "interrupted"].includes(run.view.phase);
  const canRepeat = isOver && run.nodeId === "" && !isEnd(node.type) && !node.scope;
  const tabs = [
    { value: "output" as const, label: text.run.tabs.output },
    { value: "input" as const, label: text.run.tabs.input },
    ...(result.raw ? [{ value: "raw" as const, label: text.run.tabs.raw }] : []),
  ];
  const shown = tabs.some((each) => each.value === tab) ? tab : "output";
  const value = { output: result.output, input: result.input, raw: result.raw }[shown];
  return (
    <section className={styles.result} aria-label={text.run.resultOf(node.title)}>
      <div className={styles.head}>
        <strong>{text.run.states[result.state]}</strong>
        <span className={styles.small}>
          {[
            formatDuration(result.durationMs),
            result.tokens > 0 && text.run.tokens(result.tokens),
            isOld && text.run.older,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {results.length > 1 && (
          <span className={styles.head}>
            <IconButton
              size="compact"
              label={text.run.previousIteration}
              icon={<ChevronLeft size={14} />}
              disabled={at === 0}
              onClick={() => setChosen(at - 1)}
            />
            <span className={styles.small}>
              {at + 1}/{results.length}
            </span>
            <IconButton
              size="compact"
              label={text.run.nextIteration}
              icon={<ChevronRight size={14} />}
              disabled={at === results.length - 1}
              onClick={() => setChosen(at + 1)}
            />
          </span>
        )}
        {canRepeat && (
          <Button
            size="compact"
            kind="quiet"
            icon={<RotateCcw size={14} />}
            aria-expanded={isRepeating}
            onClick={() => setRepeating(!isRepeating)}
          >
            {text.run.fromHere}
          </Button>
        )}
      </div>
      {isRepeating && canRepeat && (
        <RepeatForm
          key={result.key}
          node={node}
          input={result.input}
          onRepeat={async (changed) => {
            if (!(await onSave())) return;
            await control.repeat(node.id, changed, store.getState().root);
            if (!control.store.getState().failure) setRepeating(false);
          }}
        />
      )}
      {result.error && (
        <p className={styles.error}>
          <ServerWords message={result.error} />
        </p>
      )}
      {!isOld && <BranchResult node={node} result={result} />}
      {result.warnings.map((each) => (
        <p key={each} className={styles.small}>
          {each}
        </p>
      ))}
      <Tabs label={text.run.resultOf(node.title)} value={shown} tabs={tabs} onChange={setTab}>
        <ValueView key={`${result.key}/${result.state}/${shown}`} label={shown} value={value} />
      </Tabs>
    </section>
  );
}
