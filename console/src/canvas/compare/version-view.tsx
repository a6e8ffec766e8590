import { ReactFlowProvider } from "@xyflow/react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { Resizer } from "../../ui/splitter/resizer";
import type { Value } from "../document/tree";
import { NodePanel } from "../forms/panel";
import { newProblemStore, ProblemContext } from "../problems";
import { NodeResultView } from "../run/node-result";
import { newOverlayStore, OverlayContext } from "../run/overlay";
import { RunContext, RunControl } from "../run/run-store";
import { CanvasContext, newCanvasStore, useCanvas, useCanvasStore, useChosenNode } from "../store";
import { canvasText } from "../text";
import { Corner } from "../view/corner";
import { Ground } from "../view/ground";
import { useKeys } from "../view/use-keys";
import { useReveal } from "../view/use-sight";
import type { Comparison } from "./compare";
import { MarksContext } from "./marks";
import { compareText } from "./text";
import styles from "./version-view.module.css";

type Props = {
  workflowId: string;
  root: Value;
  /** What two states differ in, where two are shown. */
  comparison: Comparison | undefined;
  /** The change that is looked at. */
  chosenId: string;
  onChoose: (id: string) => void;
  /** Goes one change on or back. */
  onStep: (by: 1 | -1) => void;
  /** A run that is laid over the version. */
  runId: string;
  side: ReactNode;
};

const PANEL = { least: 320, first: 400, most: 720 };

/** A canvas that is only looked at: a version, or two states of it at once. */
export function VersionView(props: Props) {
  const [stores] = useState(() => {
    const overlay = newOverlayStore();
    return {
      canvas: newCanvasStore(props.root, 0, true),
      problems: newProblemStore(),
      overlay,
      run: new RunControl(props.workflowId, overlay),
    };
  });
  const { run } = stores;
  const { runId } = props;
  useEffect(() => {
    if (runId) void run.show(runId);
    return () => run.close();
  }, [run, runId]);
  return (
    <CanvasContext value={stores.canvas}>
      <ProblemContext value={stores.problems}>
        <OverlayContext value={stores.overlay}>
          <RunContext value={stores.run}>
            <MarksContext value={props.comparison}>
              <ReactFlowProvider>
                <Desk {...props} />
              </ReactFlowProvider>
            </MarksContext>
          </RunContext>
        </OverlayContext>
      </ProblemContext>
    </CanvasContext>
  );
}

function Desk({ comparison, chosenId, onChoose, onStep, side }: Props) {
  const text = useText(canvasText);
  const { title } = useText(compareText);
  const store = useCanvasStore();
  const reveal = useReveal();
  const frame = useRef<HTMLDivElement>(null);
  const panel = useCanvas((state) => state.panel);
  const chosen = useChosenNode();
  const [isHand, setHand] = useState(false);
  const [hasMap, setMap] = useState(false);
  const [width, setWidth] = useState(PANEL.first);
  useEffect(() => {
    if (!chosenId) return;
    store.getState().select([chosenId]);
    reveal([chosenId]);
  }, [chosenId, store, reveal]);
  const [first] = useState(() => {
    const changed = comparison?.changes.map(({ id }) => id) ?? [];
    return chosenId || changed.length === 0 ? undefined : changed;
  });
  useSteps(onStep);
  useKeys({
    frame,
    onAsk: nothing,
    onTogglePalette: nothing,
    onHand: setHand,
    onMap: () => setMap(!hasMap),
    onRun: nothing,
    onRunNode: nothing,
    onSave: nothing,
    onOutline: nothing,
    onFind: nothing,
    onProblem: nothing,
    onConnect: nothing,
  });
  const isNode = !comparison && panel === "node" && chosen;
  return (
    <div className={styles.desk}>
      <div
        ref={frame}
        className={styles.ground}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move about on the canvas
        tabIndex={0}
        role="application"
        aria-label={text.ground}
      >
        <Ground
          first={first}
          isHand={isHand}
          isFree={false}
          onAsk={nothing}
          onOpen={() => {
            const [only] = store.getState().selection;
            if (comparison && only) onChoose(only);
            else store.getState().open("node");
          }}
        />
        <Corner
          isHand={isHand}
          hasMap={hasMap}
          hasPalette={false}
          canWrite={false}
          onHand={setHand}
          onMap={() => setMap(!hasMap)}
          onPalette={nothing}
        />
      </div>
      <Resizer
        label={text.panelWidth}
        value={width}
        min={PANEL.least}
        max={PANEL.most}
        isReversed
        onChange={setWidth}
        onReset={() => setWidth(PANEL.first)}
      />
      <aside
        className={styles.panel}
        style={{ width }}
        aria-label={isNode ? text.panels.node : title}
      >
        {isNode ? (
          <NodePanel
            key={chosen.id}
            node={chosen}
            onRun={undefined}
            result={<NodeResultView node={chosen} onSave={async () => false} />}
          />
        ) : (
          side
        )}
      </aside>
    </div>
  );
}

/** Of a canvas that nobody edits, most keys ask for nothing. */
const nothing = () => undefined;

/** `]` and `[` go from change to change, outside of fields. */
function useSteps(onStep: (by: 1 | -1) => void): void {
  const step = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isTyping =
      target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]") !== null;
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "]") onStep(1);
    if (event.key === "[") onStep(-1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => step(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
