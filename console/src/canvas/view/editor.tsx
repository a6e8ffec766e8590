import { ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react";
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { AdminWorkflow, Diagnostic, NodeKind } from "../../api/schema";
import { Recovery, useKept } from "../../session/recovery";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { useTold } from "../../ui/error-state/reasons";
import { Page } from "../../ui/page/page";
import { Resizer } from "../../ui/splitter/resizer";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import unseen from "../../ui/unseen.module.css";
import { useChecking } from "../checking";
import { parse } from "../document/parse";
import { pathWithin } from "../document/pointer";
import { type Path, write } from "../document/tree";
import { NodePanel } from "../forms/panel";
import { graphOf } from "../model/graph";
import { newProblemStore, ProblemContext, useProblemStore } from "../problems";
import { MockSection } from "../run/mock-section";
import { isMockable } from "../run/mocks";
import { NodeResultView } from "../run/node-result";
import { NodeRun } from "../run/node-run";
import { newOverlayStore, OverlayContext } from "../run/overlay";
import { type ChatParts, RunPanel } from "../run/run-panel";
import { RunContext, RunControl, useRunControl } from "../run/run-store";
import { RunsPanel } from "../run/runs-panel";
import { type Changes, loadWorkflow, type Saving, type Unsaved, useSaving } from "../saving";
import {
  CanvasContext,
  newCanvasStore,
  useCanvas,
  useCanvasStore,
  useChosenId,
  useChosenNode,
} from "../store";
import { canvasText } from "../text";
import { type Preset, useActs } from "./acts";
import { Bar } from "./bar";
import { ConflictDialog } from "./conflict-dialog";
import { Connector } from "./connector";
import { Corner } from "./corner";
import styles from "./editor.module.css";
import { FindNode } from "./find-node";
import { type Ask, Ground } from "./ground";
import { KindList } from "./kind-list";
import { Outline } from "./outline";
import { ProblemsPanel, problemKey, sortedProblems } from "./problems-panel";
import { fits, QuickAdd } from "./quick-add";
import { useKeys } from "./use-keys";
import { useRoom } from "./use-room";
import { useRunProgress } from "./use-run-progress";
import { useReveal } from "./use-sight";

const PublishDialog = lazy(() => import("../run/publish-dialog"));
const Recovered = lazy(() => import("./recovered"));

type Props = {
  workflow: AdminWorkflow;
  workspaceName: string;
  text: string;
  canWrite: boolean;
  canRun: boolean;
  canPublish: boolean;
  /** A node and a run to begin with, as the address has them. */
  nodeId: string;
  runId: string;
  /** Who else has it open. */
  present: ReactNode;
  changes: Changes;
  menu: (workflow: AdminWorkflow) => ReactNode;
  /** How a chat flow is talked to. */
  chat?: ((parts: ChatParts) => ReactNode) | undefined;
};

const PANEL = { least: 320, first: 420, most: 720 };

/** The canvas of a workflow with everything around it. */
export function CanvasEditor(props: Props) {
  const { workflow, text, canWrite } = props;
  const [stores] = useState(() => {
    const overlay = newOverlayStore();
    return {
      canvas: newCanvasStore(parse(text).value, workflow.revision, !canWrite),
      problems: newProblemStore(),
      overlay,
      run: new RunControl(workflow.id, overlay),
    };
  });
  useEffect(() => () => stores.run.close(), [stores]);
  return (
    <CanvasContext value={stores.canvas}>
      <ProblemContext value={stores.problems}>
        <OverlayContext value={stores.overlay}>
          <RunContext value={stores.run}>
            <ReactFlowProvider>
              <Desk {...props} />
            </ReactFlowProvider>
          </RunContext>
        </OverlayContext>
      </ProblemContext>
    </CanvasContext>
  );
}

function Desk(props: Props) {
  const { workspaceName, canWrite, canRun, canPublish, nodeId, runId, present, menu } = props;
  const text = useText(canvasText);
  const store = useCanvasStore();
  const control = useRunControl();
  const problems = useProblemStore();
  const flow = useReactFlow();
  const acts = useActs();
  const reveal = useReveal();
  const [workflow, setWorkflow] = useState(props.workflow);
  const root = useCanvas((state) => state.root);
  /** What was on the canvas when the server last said whether that is published. */
  const [known, setKnown] = useState({ root, isChanged: workflow.is_draft_changed });
  const userId = useSession().user.id;
  const recovery = useMemo(
    () => new Recovery<Unsaved>({ userId, type: "workflow", id: workflow.id }),
    [userId, workflow.id],
  );
  const saving = useSaving(workflow.id, text.steps, props.changes, recovery);
  const { kept, settle, putOff } = useKept(
    recovery,
    canWrite,
    (unsaved) => write(store.getState().root) !== unsaved.text,
  );
  useChecking(workflow.id);
  useRunProgress();
  const frame = useRef<HTMLDivElement>(null);
  const panel = useCanvas((state) => state.panel);
  const chosenId = useChosenId();
  const scope = useCanvas(({ root }) => graphOf(root).nodes.get(chosenId ?? "")?.scope);
  const [ask, setAsk] = useState<Ask>();
  const [isHand, setHand] = useState(false);
  const [hasPalette, setPalette] = useState(false);
  const [hasMap, setMap] = useState(false);
  const [isOutline, setOutline] = useState(() => matchMedia("(width < 640px)").matches);
  const [isFinding, setFinding] = useState(false);
  const [isConnecting, setConnecting] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const [isTrying, setTrying] = useState("");
  const [width, setWidth] = useState(PANEL.first);
  useRoom(hasPalette && !isOutline);
  const isFree = useHeld("Alt");
  const sight = useStore((state) => state.width);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a narrower view may hide what is chosen
  useEffect(() => {
    if (chosenId && panel === "node") reveal([chosenId]);
  }, [chosenId, panel, sight, reveal]);

  const openForm = useCallback(() => store.getState().open("node"), [store]);
  function open(id: string, place?: Path): void {
    store.getState().select([id]);
    store.getState().open("node", place);
    reveal([id]);
  }
  const visited = useRef("");
  function openProblem(problem: Diagnostic): void {
    const { node_id: id, json_pointer: pointer } = problem;
    const node = graphOf(store.getState().root).nodes.get(id);
    visited.current = problemKey(problem);
    if (node) open(id, pathWithin(node.path, pointer));
  }
  function add(kind: NodeKind, preset?: Preset): void {
    const now = ask;
    setAsk(undefined);
    if (!now) return;
    acts.add(kind, now.place, now.joint, preset);
    frame.current?.focus();
    store.getState().open("node");
  }
  function addFromPalette(kind: NodeKind, preset?: Preset): void {
    const rect = frame.current?.getBoundingClientRect();
    if (!rect) return;
    if (!chosenId || !acts.addAfter(kind, chosenId, preset)) {
      const middle = { x: rect.left + rect.width / 2, y: rect.top + rect.height / 3 };
      acts.add(kind, flow.screenToFlowPosition(middle), undefined, preset);
    }
    reveal(store.getState().selection);
  }
  function problem(step: 1 | -1): void {
    const list = sortedProblems(problems.getState().all).filter((each) => each.node_id);
    const last = list.findIndex(
      (each) => each.node_id === chosenId && problemKey(each) === visited.current,
    );
    const at = last >= 0 ? last : list.findIndex((each) => each.node_id === chosenId);
    const from = at < 0 && step < 0 ? 0 : at;
    const next = list[(from + step + list.length) % Math.max(list.length, 1)];
    if (next) openProblem(next);
  }
  useKeys({
    frame,
    onAsk: setAsk,
    onTogglePalette: () => setPalette(!hasPalette),
    onHand: setHand,
    onMap: () => setMap(!hasMap),
    onRun: () => canRun && store.getState().open("run"),
    onRunNode: () => {
      if (!chosenId || !canRun) return;
      store.getState().open("node");
      setTrying(chosenId);
    },
    onSave: () => void saving.saveNow(),
    onOutline: () => setOutline(!isOutline),
    onFind: () => setFinding(true),
    onProblem: problem,
    onConnect: () => setConnecting(true),
  });
  const begin = useRef({ nodeId, runId });
  useEffect(() => {
    const { nodeId: node, runId: run } = begin.current;
    if (run) {
      store.getState().open("runs");
      void control.show(run);
    }
    if (node && graphOf(store.getState().root).nodes.has(node)) {
      store.getState().select([node]);
      store.getState().open("node");
    }
  }, [store, control]);

  const side = (() => {
    switch (panel) {
      case "node":
        return (
          chosenId && (
            <NodeSide
              key={chosenId}
              canRun={canRun}
              isTrying={isTrying === chosenId}
              onTry={setTrying}
              onSave={saving.saveNow}
            />
          )
        );
      case "run":
        return <RunPanel workflowId={workflow.id} onSave={saving.saveNow} chat={props.chat} />;
      case "runs":
        return <RunsPanel workflowId={workflow.id} />;
      case "problems":
        return <ProblemsPanel onGo={openProblem} />;
      default:
        return null;
    }
  })();

  return (
    <Page
      title={workflow.name}
      context={workspaceName}
      state={
        <span className={styles.states}>
          <ReleaseBadge
            isPublished={workflow.is_published}
            isChanged={known.isChanged || root !== known.root}
            version={workflow.latest_version}
          />
          <SavedState saving={saving} canWrite={canWrite} />
        </span>
      }
      actions={
        <Bar
          present={present}
          canRun={canRun}
          canPublish={canPublish}
          isOutline={isOutline}
          onOutline={() => setOutline(!isOutline)}
          onPublish={async () => {
            if (!(await saving.saveNow())) return;
            setWorkflow(await loadWorkflow(workflow.id));
            setPublishing(true);
          }}
          menu={menu(workflow)}
        />
      }
    >
      <div className={styles.desk}>
        {hasPalette && canWrite && !isOutline && (
          <aside className={styles.palette} aria-label={text.palette.title}>
            <KindList
              isDraggable
              hasFocus
              onChoose={addFromPalette}
              onClose={() => setPalette(false)}
              isOffered={offered(scope, store.getState().root)}
            />
          </aside>
        )}
        <div
          ref={frame}
          className={styles.ground}
          tabIndex={isOutline ? -1 : 0}
          role="application"
          aria-label={text.ground}
          aria-describedby="canvas-hint"
        >
          {isOutline ? (
            <Outline />
          ) : (
            <>
              <Ground isHand={isHand} isFree={isFree} onAsk={setAsk} onOpen={openForm} />
              <Corner
                isHand={isHand}
                hasMap={hasMap}
                hasPalette={hasPalette}
                canWrite={canWrite}
                onHand={setHand}
                onMap={() => setMap(!hasMap)}
                onPalette={() => setPalette(!hasPalette)}
              />
            </>
          )}
          <p id="canvas-hint" className={unseen.unseen}>
            {text.groundHint}
          </p>
        </div>
        {side && (
          <>
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
              aria-label={text.panels[panel || "node"]}
            >
              {side}
            </aside>
          </>
        )}
      </div>
      <Said />
      {ask && <QuickAdd ask={ask} onChoose={add} onClose={() => setAsk(undefined)} />}
      {isFinding && <FindNode onGo={open} onClose={() => setFinding(false)} />}
      {isConnecting && chosenId && (
        <Connector nodeId={chosenId} onClose={() => setConnecting(false)} />
      )}
      {saving.conflict && <ConflictDialog conflict={saving.conflict} />}
      <Suspense>
        {kept && (
          <Recovered
            kept={kept}
            onTake={() => {
              saving.restore(kept.changes);
              settle();
            }}
            onDrop={settle}
            onLater={putOff}
          />
        )}
        {isPublishing && (
          <PublishDialog
            workflow={workflow}
            onPublished={(next) => {
              setWorkflow(next);
              setKnown({ root: store.getState().root, isChanged: next.is_draft_changed });
            }}
            onProblems={() => {
              setPublishing(false);
              store.getState().open("problems");
            }}
            onTry={() => {
              setPublishing(false);
              store.getState().open("run");
            }}
            onClose={() => setPublishing(false)}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** What a screen reader is to hear of the canvas. */
function Said() {
  const said = useCanvas((state) => state.said);
  return (
    <output className={unseen.unseen} aria-live="polite">
      {said}
    </output>
  );
}

type NodeSideProps = {
  canRun: boolean;
  isTrying: boolean;
  onTry: (nodeId: string) => void;
  onSave: () => Promise<boolean>;
};

/** The form of the chosen node with what can be tried with it, and what it did. */
function NodeSide({ canRun, isTrying, onTry, onSave }: NodeSideProps) {
  const node = useChosenNode();
  const [isMocking, setMocking] = useState(false);
  if (!node) return null;
  const canMock = canRun && isMockable(node);
  return (
    <NodePanel
      node={node}
      onRun={canRun ? () => onTry(node.id) : undefined}
      onMock={canMock ? () => setMocking(true) : undefined}
      result={
        <>
          {canMock && (
            <MockSection node={node} isAsked={isMocking} onEnd={() => setMocking(false)} />
          )}
          {isTrying && <NodeRun node={node} onSave={onSave} onClose={() => onTry("")} />}
          <NodeResultView node={node} onSave={onSave} />
        </>
      }
    />
  );
}

function offered(scope: string | undefined, root: Parameters<typeof graphOf>[0]) {
  const type = graphOf(root).nodes.get(scope ?? "")?.type ?? "";
  return (kind: NodeKind) => fits(kind, type, false);
}

/** Whether what is seen is what the server has. */
function SavedState({ saving, canWrite }: { saving: Saving; canWrite: boolean }) {
  const text = useText(canvasText);
  const told = useTold();
  if (!canWrite) return <span>{text.readOnly}</span>;
  const why = saving.failure?.message;
  return (
    <span
      className={styles.saved}
      data-state={saving.state}
      title={why ? told("", why) : undefined}
    >
      {text.saving[saving.state]}
    </span>
  );
}

/** Whether a key is held down. */
function useHeld(key: string): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const set = (isDown: boolean) => (event: KeyboardEvent) => {
      if (event.key === key) setHeld(isDown);
    };
    const [down, up, blur] = [set(true), set(false), () => setHeld(false)];
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    addEventListener("blur", blur);
    return () => {
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
      removeEventListener("blur", blur);
    };
  }, [key]);
  return isHeld;
}
