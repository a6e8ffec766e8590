import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, useBlocker } from "@tanstack/react-router";
import { History } from "lucide-react";
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { AdminAgent } from "../../api/schema";
import { workbenchPanes } from "../../session/local";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Page } from "../../ui/page/page";
import { type Pane, Splitter } from "../../ui/splitter/splitter";
import { Tabs } from "../../ui/tabs/tabs";
import { useWidth } from "../../ui/use-width";
import { DraftKeeper } from "./draft-keeper";
import { KnowledgeSection } from "./knowledge-section";
import { ModelSection } from "./model-section";
import { Persona } from "./persona";
import { agentQuery, loadAgent, saveAgent, useRefreshAgents } from "./queries";
import { SaveLine } from "./save-line";
import { BoundariesSection, MemorySection, OpeningSection } from "./small-sections";
import { workbenchText } from "./text";
import { ToolsSection } from "./tools-section";
import { TryIt } from "./try-it";
import { VariablesSection } from "./variables-section";
import styles from "./workbench.module.css";

const ConflictDialog = lazy(() => import("./conflict-dialog"));
const AnswerDetails = lazy(() => import("./answer-details"));
const PublishDialog = lazy(() => import("./publish-dialog"));
const page = getRouteApi("/shell/w/$workspaceId/agents/$agentId");
const FIRST_SHARES = [38, 26, 36];
const THREE_PANES_PX = 1040;
const TWO_PANES_PX = 780;

/** One agent: its draft, and the draft at work. */
export function Workbench() {
  const { agentId } = page.useParams();
  const { data } = useSuspenseQuery(agentQuery(agentId));
  return <Bench key={data.id} agent={data} />;
}

function Bench({ agent }: { agent: AdminAgent }) {
  const text = useText(workbenchText);
  const { workspaceId } = page.useParams();
  const { chat, tab } = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const refresh = useRefreshAgents();
  const canWrite = may(workspace, "bot.write");
  const keeper = useKeeper(agent);
  const { draft, state, failure, conflicts, edition } = useSyncExternalStore(
    keeper.subscribe,
    keeper.snapshot,
  );
  const saved = useCallback(() => keeper.flush(), [keeper]);
  const [isPublishing, setPublishing] = useState(false);
  const [detailsOf, setDetailsOf] = useState<string>();
  const onChat = useCallback(
    (next: string | undefined) =>
      void navigate({ search: (old) => ({ ...old, chat: next }), replace: true }),
    [navigate],
  );
  const edit = useCallback<DraftKeeper["edit"]>(
    (edits) => canWrite && keeper.edit(edits),
    [keeper, canWrite],
  );
  const parts = { draft, onEdit: edit };
  const isLed = draft.mode === "workflow";
  const abilities = (
    <div className={styles.sections}>
      <ModelSection {...parts} />
      <KnowledgeSection {...parts} saved={saved} />
      <ToolsSection {...parts} />
      <VariablesSection {...parts} />
      <OpeningSection {...parts} />
      <MemorySection {...parts} />
      <BoundariesSection {...parts} />
    </div>
  );
  const editing = (
    <>
      <header className={styles.paneHead}>
        <h2>{text.persona}</h2>
      </header>
      <Persona {...parts} />
    </>
  );
  const trying = (
    <TryIt
      draft={draft}
      edition={edition}
      saved={saved}
      chatId={chat}
      onChat={onChat}
      onDetails={setDetailsOf}
    />
  );
  const actions = (
    <>
      <IconButton
        label={text.versions}
        icon={<History size={16} />}
        onClick={() =>
          void navigate({
            to: "/w/$workspaceId/agents/$agentId/versions",
            params: { workspaceId, agentId: draft.id },
          })
        }
      />
      {may(workspace, "bot.publish") && (
        <Button kind="primary" onClick={() => setPublishing(true)}>
          {text.publish}
        </Button>
      )}
    </>
  );
  return (
    <>
      <Page
        title={draft.name}
        context={text.agents}
        state={<SaveLine agent={keeper.current.agent} state={state} failure={failure} />}
        actions={actions}
      >
        {!canWrite && <Banner tone="warn">{text.readOnly}</Banner>}
        {isLed && <Banner tone="warn">{text.workflowMode}</Banner>}
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
        {isPublishing && (
          <PublishDialog
            agentId={draft.id}
            saved={saved}
            onPublished={() => {
              void loadAgent(draft.id).then((next) => keeper.take(next));
              void refresh();
            }}
            onClose={() => setPublishing(false)}
          />
        )}
      </Suspense>
    </>
  );
}

type PanesProps = {
  editing: ReactNode;
  abilities: ReactNode;
  trying: ReactNode;
  tab: "edit" | "try";
  onTab: (tab: "edit" | "try") => void;
  /** What lies over the parts that are edited; where there is little room, over all. */
  over: (within: HTMLElement | null, share: number | undefined) => ReactNode;
};

/** Three panes where there is room for them, two where not, and tabs where there is little. */
function Panes({ editing, abilities, trying, tab, onTab, over }: PanesProps) {
  const text = useText(workbenchText);
  const [frame, width] = useWidth();
  const [within, setWithin] = useState<HTMLElement | null>(null);
  const [shares, setShares] = useState(() => workbenchPanes.read() ?? FIRST_SHARES);
  const [left = 38, middle = 26, right = 36] = shares;
  function move(next: readonly number[]): void {
    setShares(next);
    workbenchPanes.write(next);
  }
  const pane = (key: string, label: string, share: number, content: ReactNode): Pane => ({
    key,
    label,
    share,
    least: 20,
    content,
  });
  const both = (
    <div className={styles.stacked}>
      <div className={styles.first}>{editing}</div>
      {abilities}
    </div>
  );
  const isWide = width >= THREE_PANES_PX;
  return (
    <div ref={frame} className={styles.frame}>
      {width >= TWO_PANES_PX ? (
        <Splitter
          panes={
            isWide
              ? [
                  pane("persona", text.persona, left, editing),
                  pane("abilities", text.abilities, middle, <Abilities>{abilities}</Abilities>),
                  pane("try", text.tryIt, right, trying),
                ]
              : [
                  pane("edit", text.edit, left + middle, both),
                  pane("try", text.tryIt, right, trying),
                ]
          }
          onChange={(next) => {
            const [one = 0, two = 0] = next;
            move(isWide ? next : [(one * 38) / 64, (one * 26) / 64, two]);
          }}
          onReset={() => move(FIRST_SHARES)}
        />
      ) : (
        width > 0 && (
          <div className={styles.tabs}>
            <Tabs
              label={text.panels}
              value={tab}
              isFilling
              tabs={[
                { value: "edit", label: text.edit },
                { value: "try", label: text.tryIt },
              ]}
              onChange={onTab}
            >
              {tab === "edit" ? both : trying}
            </Tabs>
          </div>
        )
      )}
      <div ref={setWithin} />
      <Suspense>
        {over(
          within,
          width >= TWO_PANES_PX ? ((left + middle) * 100) / (left + middle + right) : undefined,
        )}
      </Suspense>
    </div>
  );
}

function Abilities({ children }: { children: ReactNode }) {
  const text = useText(workbenchText);
  return (
    <>
      <header className={styles.paneHead}>
        <h2>{text.abilities}</h2>
      </header>
      {children}
    </>
  );
}

/** The draft of one agent, saved whenever somebody looks away and before they leave. */
function useKeeper(agent: AdminAgent): DraftKeeper {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded again is not taken over
  const keeper = useMemo(
    () =>
      new DraftKeeper(agent, {
        save: (body, revision) => saveAgent(agent.id, body, revision),
        load: () => loadAgent(agent.id),
      }),
    [agent.id],
  );
  useEffect(() => {
    const flush = () => void keeper.flush();
    const ask = (event: BeforeUnloadEvent) => keeper.isDirty && event.preventDefault();
    document.addEventListener("visibilitychange", flush);
    addEventListener("blur", flush);
    addEventListener("beforeunload", ask);
    return () => {
      flush();
      document.removeEventListener("visibilitychange", flush);
      removeEventListener("blur", flush);
      removeEventListener("beforeunload", ask);
    };
  }, [keeper]);
  useBlocker({
    shouldBlockFn: async () => {
      await keeper.flush();
      return false;
    },
    enableBeforeUnload: false,
  });
  return keeper;
}
