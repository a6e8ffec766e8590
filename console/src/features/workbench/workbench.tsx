import { getRouteApi } from "@tanstack/react-router";
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useState,
  useSyncExternalStore,
} from "react";
import { useRefreshAgents } from "../../agent/queries";
import { loadAgent } from "../../api/agent";
import type { AdminAgent } from "../../api/schema";
import { useKept } from "../../session/recovery";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { useKeyedPart } from "../../ui/page/keyed-parts";
import { Page } from "../../ui/page/page";
import { BoundariesSection } from "./boundaries-section";
import type { DraftKeeper } from "./draft-keeper";
import { differencesOf } from "./edits";
import { FlowCard } from "./flow-card";
import { KnowledgeSection } from "./knowledge-section";
import { MemorySection } from "./memory-section";
import { ModelSection } from "./model-section";
import { OpeningSection } from "./opening-section";
import { Panes } from "./panes";
import { Persona } from "./persona";
import { useAgent } from "./queries";
import { SaveLine } from "./save-line";
import { type Part, Shown } from "./section";
import { ShortcutsSection } from "./shortcuts-section";
import { TeamSection } from "./team-section";
import { workbenchText } from "./text";
import { ToolsSection } from "./tools-section";
import { TryIt } from "./try-it";
import { useKeeper } from "./use-keeper";
import { useKeys } from "./use-keys";
import { VariablesSection } from "./variables-section";
import styles from "./workbench.module.css";
import { type AskedOfDraft, WorkbenchMenu } from "./workbench-menu";

const ConflictDialog = lazy(() => import("./conflict-dialog"));
const Recovered = lazy(() => import("./recovered"));
const PresentPeople = lazy(() => import("../../presence/present-people"));
const AnswerDetails = lazy(() => import("./answer-details"));
const PublishDialog = lazy(() => import("./publish-dialog"));
const WorkbenchDialogs = lazy(() => import("./workbench-dialogs"));
const page = getRouteApi("/shell/w/$workspaceId/agents/$agentId");

/** One agent: its draft, and the draft at work. */
export function Workbench() {
  const agentId = page.useParams({ select: (params) => params.agentId });
  // Drawn in slices: all of its parts at once are one long task. Deferred, it may be the one before.
  const agent = useDeferredValue(useAgent(agentId));
  return agent?.id === agentId && <Bench key={agent.id} agent={agent} />;
}

function Bench({ agent }: { agent: AdminAgent }) {
  const text = useText(workbenchText);
  const workspaceId = page.useParams({ select: (params) => params.workspaceId });
  // Not the conversation of the address, which changes while the first answer comes.
  const tab = page.useSearch({ select: (search) => search.tab });
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const refresh = useRefreshAgents();
  const canWrite = may(workspace, "bot.write");
  const { keeper, recovery } = useKeeper(agent);
  const { kept, settle, putOff } = useKept(
    recovery,
    canWrite,
    ({ edits }) => differencesOf(keeper.current.agent, edits).length > 0,
  );
  const { draft, state, failure, conflicts, edition } = useSyncExternalStore(
    keeper.subscribe,
    keeper.snapshot,
  );
  const saved = useCallback(() => keeper.flush(), [keeper]);
  const [isPublishing, setPublishing] = useState(false);
  const [asked, setAsked] = useState<AskedOfDraft>();
  const [shown, setShown] = useState<{ part: Part }>();
  const [detailsOf, setDetailsOf] = useState<string>();
  const edit = useCallback<DraftKeeper["edit"]>(
    (edits) => canWrite && keeper.edit(edits),
    [keeper, canWrite],
  );
  const reload = useCallback(
    () => loadAgent(agent.id).then((next) => keeper.take(next)),
    [agent.id, keeper],
  );
  function show(part: Part): void {
    setPublishing(false);
    setShown({ part });
    if (tab === "try") void navigate({ search: (old) => ({ ...old, tab: "edit" }) });
  }
  const mayPublish = may(workspace, "bot.publish");
  useKeyedPart("workbench");
  useKeys({
    "mod+s": () => void keeper.flush(),
    "mod+shift+p": () => mayPublish && setPublishing(true),
  });
  const parts = { draft, onEdit: edit };
  const isFlow = draft.mode === "workflow";
  const abilities = (
    <div className={styles.sections}>
      {!isFlow && (
        <>
          <ModelSection {...parts} />
          <ToolsSection {...parts} />
          <KnowledgeSection {...parts} saved={saved} />
          <MemorySection {...parts} />
        </>
      )}
      <VariablesSection {...parts} />
      <OpeningSection {...parts} saved={saved} />
      <ShortcutsSection draft={draft} saved={saved} onChanged={reload} />
      {!isFlow && <TeamSection {...parts} failure={failure} />}
      <BoundariesSection {...parts} />
    </div>
  );
  const editing = isFlow ? <FlowCard {...parts} /> : <Persona {...parts} />;
  const trying = <TryIt draft={draft} edition={edition} saved={saved} onDetails={setDetailsOf} />;
  const actions = (
    <>
      <Suspense>
        <PresentPeople workspaceId={workspaceId} type="agent" id={agent.id} />
      </Suspense>
      {mayPublish && (
        <Button kind="primary" onClick={() => setPublishing(true)}>
          {text.publish}
        </Button>
      )}
      <WorkbenchMenu agent={keeper.current.agent} onAsk={setAsked} />
    </>
  );
  return (
    <Shown value={shown}>
      <Page
        title={draft.name}
        onRename={canWrite && ((name) => edit({ name }))}
        context={text.agents}
        state={<SaveLine agent={keeper.current.agent} state={state} failure={failure} />}
        actions={actions}
      >
        {!canWrite && <Banner tone="warn">{text.readOnly}</Banner>}
        <Panes
          editing={editing}
          abilities={abilities}
          trying={trying}
          tab={tab === "try" ? "try" : "edit"}
          onTab={(next) => void navigate({ search: (old) => ({ ...old, tab: next }) })}
          over={(within, share) =>
            detailsOf && (
              <AnswerDetails
                key={detailsOf}
                workspaceId={workspaceId}
                runId={detailsOf}
                within={within}
                share={share}
                onClose={() => setDetailsOf(undefined)}
              />
            )
          }
        />
      </Page>
      <Suspense>
        {conflicts.length > 0 && (
          <ConflictDialog conflicts={conflicts} onResolve={(theirs) => keeper.resolve(theirs)} />
        )}
        {kept && (
          <Recovered
            kept={kept}
            draft={draft}
            onTake={() => {
              keeper.restore(kept.changes);
              settle();
            }}
            onDrop={settle}
            onLater={putOff}
          />
        )}
        {isPublishing && (
          <PublishDialog
            workspaceId={workspaceId}
            agentId={draft.id}
            saved={saved}
            onPublished={() => {
              void reload();
              void refresh();
            }}
            onShow={show}
            onClose={() => setPublishing(false)}
          />
        )}
        {asked && (
          <WorkbenchDialogs
            asked={asked}
            agent={keeper.current.agent}
            onEdit={edit}
            onClose={() => setAsked(undefined)}
          />
        )}
      </Suspense>
    </Shown>
  );
}
