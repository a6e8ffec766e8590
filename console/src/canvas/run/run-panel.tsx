import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Hourglass, LocateFixed, Play, Square, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { client, unwrap } from "../../api/client";
import { readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ServerWords } from "../../ui/error-state/server-words";
import { Segmented } from "../../ui/segmented/segmented";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { Section } from "../forms/input-rows";
import panel from "../forms/panel.module.css";
import rows from "../forms/rows.module.css";
import { entryOf, exitOf, graphOf, type Placed } from "../model/graph";
import { outputsOf } from "../model/output";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { MockList } from "./mock-list";
import { useIsFollowed, useMocks } from "./overlay";
import { QuestionForm } from "./question-form";
import type { RunView } from "./recorder";
import { badField, type Draft, draftFrom, inputsFrom, RunForm } from "./run-form";
import styles from "./run-panel.module.css";
import { useRun, useRunControl } from "./run-store";
import { SavedInputs } from "./saved-inputs";
import { ValueView } from "./value-view";

/** What a chat with the draft needs of its canvas. */
export type ChatParts = {
  /** Inputs of the workflow besides the message. */
  parameters: Readonly<Record<string, unknown>>;
  onSave: () => Promise<boolean>;
  /** The conversation whose newest run is to be laid over the canvas. */
  onRun: (conversationId: string) => void;
  onClose: () => void;
  /** The way to the form, for everything that is no message. */
  switcher: ReactNode;
};

type Props = {
  workflowId: string;
  onSave: () => Promise<boolean>;
  chat?: ((parts: ChatParts) => ReactNode) | undefined;
};

/** Inputs that a conversation gives by itself. */
const OF_CHATS = new Set(["USER_INPUT", "CONVERSATION_NAME"]);

/** Trying the whole workflow: its inputs, and what came of them. */
export function RunPanel({ workflowId, onSave, chat }: Props) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const control = useRunControl();
  const run = useRun();
  const entry = useCanvas((state) => entryOf(graphOf(state.root)));
  const exit = useCanvas((state) => exitOf(graphOf(state.root)));
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const mocks = useMocks();
  const fields = entry ? outputsOf(entry) : [];
  const last = useQuery({
    queryKey: ["admin.workflow_runs.list", workflowId, "last"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/runs", {
          params: { path: { workflow_id: workflowId }, query: { limit: "10" } },
          signal,
        }),
      ),
    staleTime: 0,
  });
  const before = last.data?.items.find((each) => each.node_id === "")?.input ?? {};
  const [typed, setTyped] = useState<Draft>();
  const [way, setWay] = useState<"chat" | "form">("chat");
  const draft = typed ?? draftFrom(before);
  const bad = badField(fields, draft);
  const isRunning = run.isStarting || (run.view?.phase === "running" && run.nodeId === "");
  async function start(): Promise<void> {
    if (bad || isRunning) return;
    if (!(await onSave())) return;
    await control.start(inputsFrom(fields, draft), store.getState().root);
    void last.refetch();
  }
  const switcher = chat && (
    <Segmented
      label={text.run.title}
      value={way}
      options={[
        { value: "chat", label: text.run.ways.chat },
        { value: "form", label: text.run.ways.form },
      ]}
      onChange={setWay}
    />
  );
  if (chat && way === "chat") {
    const rest = fields.filter((each) => !OF_CHATS.has(each.name));
    return chat({
      parameters: badField(rest, draft) ? {} : inputsFrom(rest, draft),
      onSave,
      onRun: async (conversationId) => {
        const { data } = await last.refetch();
        const own = data?.items.find((each) => each.conversation_id === conversationId);
        if (own) await control.show(own.execute_id);
      },
      onClose: () => store.getState().open(""),
      switcher,
    });
  }
  return (
    <div className={panel.panel}>
      <header className={panel.head}>
        {switcher ?? <h2 className={styles.title}>{text.run.title}</h2>}
        {switcher && <span className={styles.title} />}
        {isRunning && run.runId ? (
          <Button size="compact" icon={<Square size={14} />} onClick={() => void control.cancel()}>
            {text.run.cancel}
          </Button>
        ) : (
          <Button
            size="compact"
            kind="primary"
            icon={<Play size={14} />}
            isLoading={run.isStarting}
            disabled={bad !== undefined}
            onClick={() => void start()}
          >
            {text.run.start}
          </Button>
        )}
        <IconButton
          size="compact"
          label={text.close}
          icon={<X size={16} />}
          onClick={() => store.getState().open("")}
        />
      </header>
      <div className={panel.body}>
        {run.failure && (
          <div className={styles.failure}>
            <ErrorLine failure={run.failure} />
          </div>
        )}
        {run.view && run.nodeId === "" && (
          <>
            <Outcome view={run.view} />
            {gaveNothing(run.view) && (
              <WayTo node={exit} label={text.run.openEnd}>
                {text.run.gaveNothing}
              </WayTo>
            )}
          </>
        )}
        <Section title={text.form.workflowInputs}>
          {fields.length > 0 || isReadOnly ? (
            <RunForm fields={fields} draft={draft} onChange={setTyped} />
          ) : (
            <WayTo node={entry} label={text.run.openStart}>
              {text.run.noInputs}
            </WayTo>
          )}
          {bad && typed && <p className={rows.bad}>{text.run.badInput(bad.name)}</p>}
        </Section>
        <MockList />
        {(fields.length > 0 || mocks.size > 0) && (
          <SavedInputs
            workflowId={workflowId}
            inputs={bad ? undefined : inputsFrom(fields, draft)}
            mocks={mocks}
            canWrite={!isReadOnly}
            onTake={(kept) => {
              setTyped(kept.draft);
              control.setMocks(kept.mocks);
            }}
          />
        )}
      </div>
    </div>
  );
}

/** Whether a run came to its end and nobody has anything of it. */
function gaveNothing({ phase, output, said }: RunView): boolean {
  // The end says what it gives, too.
  const isSaid = said.some((each) => each.text !== output);
  return phase === "success" && !isSaid && (output === "" || output === "{}");
}

type WayProps = { node: Placed | undefined; label: string; children: ReactNode };

/** What is to be said, and the node where it is changed. */
function WayTo({ node, label, children }: WayProps) {
  const store = useCanvasStore();
  return (
    <div className={styles.way}>
      <p>{children}</p>
      {node && (
        <Button
          size="compact"
          onClick={() => {
            store.getState().select([node.id]);
            store.getState().open("node");
          }}
        >
          {label}
        </Button>
      )}
    </div>
  );
}

/** How a run stands: its state, what waits for an answer, what it said and gave. */
export function Outcome({ view }: { view: RunView }) {
  const text = useText(canvasText);
  const control = useRunControl();
  const isOver = view.phase !== "running" && view.phase !== "interrupted";
  const isFollowed = useIsFollowed();
  const said = view.said.filter((each) => !isOver || each.text !== view.output);
  return (
    <>
      <div className={styles.outcome}>
        <PhaseBadge phase={view.phase} />
        <span className={styles.facts}>
          {[
            view.begun > 0 && text.run.nodes(view.ended, view.begun),
            isOver && formatDuration(view.durationMs),
            view.tokens > 0 && text.run.tokens(view.tokens),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {isOver ? (
          <Button size="compact" kind="quiet" onClick={() => control.close()}>
            {text.run.clear}
          </Button>
        ) : (
          <IconButton
            size="compact"
            label={text.run.follow}
            icon={<LocateFixed size={14} />}
            aria-pressed={isFollowed}
            onClick={() => control.setFollowed(!isFollowed)}
          />
        )}
      </div>
      {view.error && (
        <p className={styles.error}>
          <ServerWords message={view.error} />
        </p>
      )}
      {view.pending.map((each) => (
        <QuestionForm
          key={each.id}
          pending={each}
          onAnswer={(data) => control.answer(each.id, data)}
        />
      ))}
      {said.length > 0 && (
        <Section title={text.run.messages}>
          <div className={rows.stack}>
            {said.map((each) => (
              <div key={each.nodeId + each.title} className={styles.said}>
                <span className={rows.hint}>{each.title}</span>
                <p className={styles.text}>{each.text}</p>
              </div>
            ))}
          </div>
        </Section>
      )}
      {isOver && view.output && view.output !== "{}" && (
        <Section title={text.run.output}>
          <ValueView label={text.run.output} value={parsed(view.output)} />
        </Section>
      )}
    </>
  );
}

function parsed(text: string): unknown {
  const read = readJson(text);
  return read === undefined ? text : read;
}

export function PhaseBadge({ phase }: { phase: RunView["phase"] }) {
  const text = useText(canvasText);
  const label = text.run.phases[phase];
  switch (phase) {
    case "success":
      return (
        <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
          {label}
        </StateBadge>
      );
    case "failed":
      return (
        <StateBadge tone="bad" icon={<CircleX size={14} />}>
          {label}
        </StateBadge>
      );
    case "interrupted":
      return (
        <StateBadge tone="wait" icon={<Hourglass size={14} />}>
          {label}
        </StateBadge>
      );
    case "cancelled":
      return (
        <StateBadge tone="neutral" icon={<Square size={14} />}>
          {label}
        </StateBadge>
      );
    case "running":
      return (
        <StateBadge tone="run" icon={<Play size={14} />}>
          {label}
        </StateBadge>
      );
  }
}
