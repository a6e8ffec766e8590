import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { AskedOfAgent } from "../../agent/agent-dialogs";
import { useRecentRuns } from "../../agent/recent-runs";
import { useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { useSelection } from "../../ui/table/selection";
import { AgentMenu } from "./agent-menu";
import { useColumns } from "./columns";
import { type Agent, useAgents } from "./queries";
import { agentsText } from "./text";

const AgentDialogs = lazy(() => import("../../agent/agent-dialogs"));
/** The rows do not wait for what narrows them. */
const AgentFilters = lazy(async () => ({
  default: (await import("./agent-filters")).AgentFilters,
}));
const AgentViews = lazy(async () => ({ default: (await import("./agent-filters")).AgentViews }));
const AgentCard = lazy(() => import("./agent-card"));
const AgentsBulk = lazy(() => import("./agents-bulk"));
const EditDialog = lazy(() => import("./edit-dialog"));
const NewDialog = lazy(() => import("./new-dialog"));
const page = getRouteApi("/shell/w/$workspaceId/agents");

/** What the list asks about. */
export type Asked = { kind: "create" } | { kind: "edit"; agent: Agent } | AskedOfAgent;

const CREATION: Asked = { kind: "create" };

/** All agents of a workspace. */
export function Agents() {
  const text = useText(agentsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const go = useNavigate();
  const q = useRested(search.q);
  const list = useAgents(workspaceId, { ...search, q });
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "bot.write");
  const nameOf = useMemberNames(workspaceId);
  const columns = useColumns(nameOf);
  const selection = useSelection(list.rows.map((agent) => agent.id));
  const [chosen, setAsked] = useState<Asked>();
  const asked = chosen ?? (search.new && canWrite ? CREATION : undefined);
  const isCards = search.view === "cards";
  const runs = useRecentRuns(workspaceId, isCards && may(workspace, "trace.read"));
  function open(inWorkspace: string, agentId: string): void {
    void go({
      to: "/w/$workspaceId/agents/$agentId",
      params: { workspaceId: inWorkspace, agentId },
    });
  }
  function close(): void {
    setAsked(undefined);
    if (search.new) void navigate({ search: ({ new: _, ...old }) => old, replace: true });
  }
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAsked(CREATION)}>
      {text.create}
    </Button>
  );
  function onKey(key: string, agent: Agent): void {
    if (key === "Enter") {
      open(workspaceId, agent.id);
    }
    if (!canWrite) return;
    if (key === "e") setAsked({ kind: "edit", agent });
    if (key === "Delete") setAsked({ kind: "delete", agent });
  }
  const menu = (agent: Agent) => <AgentMenu agent={agent} canWrite={canWrite} onAsk={setAsked} />;
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={canWrite && create}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) =>
            void navigate({ search: (old) => ({ ...old, q: value || undefined }), replace: true }),
        }}
        filters={
          <Suspense>
            <AgentFilters workspaceId={workspaceId} />
          </Suspense>
        }
        views={
          <Suspense>
            <AgentViews />
          </Suspense>
        }
        isNarrowed={Boolean(
          search.q ?? search.state ?? search.mode ?? search.creator ?? search.model ?? search.uses,
        )}
        onClearFilters={() => void navigate({ search: { view: search.view } })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<Bot size={40} strokeWidth={1} />}
            action={canWrite && create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(agent) => agent.id}
        menu={menu}
        nameOf={(agent) => agent.name}
        selection={canWrite ? selection : undefined}
        bulk={
          <Suspense>
            <AgentsBulk
              agents={list.rows.filter((agent) => selection.chosen.has(agent.id))}
              onClear={selection.clear}
            />
          </Suspense>
        }
        card={
          isCards
            ? (agent) => <AgentCard agent={agent} runs={runs(agent.id)?.runs} menu={menu(agent)} />
            : undefined
        }
        onKey={onKey}
      />
      <Suspense>
        {asked?.kind === "create" && (
          <NewDialog
            workspaceId={workspaceId}
            onOpen={(agentId) => open(workspaceId, agentId)}
            onClose={close}
          />
        )}
        {asked?.kind === "edit" && <EditDialog agent={asked.agent} onClose={close} />}
        {asked && asked.kind !== "create" && asked.kind !== "edit" && (
          <AgentDialogs asked={asked} onOpen={open} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
