import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import type { Asked } from "./agent-dialogs";
import { AgentFilters } from "./agent-filters";
import { AgentMenu } from "./agent-menu";
import { useColumns } from "./columns";
import { type Agent, useAgents } from "./queries";
import { agentsText } from "./text";

const AgentDialogs = lazy(() => import("./agent-dialogs"));
const page = getRouteApi("/shell/w/$workspaceId/agents");

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
  const [asked, setAsked] = useState<Asked | undefined>(
    search.new && canWrite ? { kind: "create" } : undefined,
  );
  function close(): void {
    setAsked(undefined);
    if (search.new) void navigate({ search: ({ new: _, ...old }) => old, replace: true });
  }
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAsked({ kind: "create" })}>
      {text.create}
    </Button>
  );
  function onKey(key: string, agent: Agent): void {
    if (key === "Enter") {
      void go({
        to: "/w/$workspaceId/agents/$agentId",
        params: { workspaceId, agentId: agent.id },
      });
    }
    if (!canWrite) return;
    if (key === "e") setAsked({ kind: "edit", agent });
    if (key === "Delete") setAsked({ kind: "delete", agent });
  }
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
        filters={<AgentFilters workspaceId={workspaceId} />}
        isNarrowed={Boolean(search.q ?? search.state ?? search.creator)}
        onClearFilters={() => void navigate({ search: {} })}
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
        menu={(agent) => <AgentMenu agent={agent} canWrite={canWrite} onAsk={setAsked} />}
        onKey={onKey}
      />
      <Suspense>
        {asked && <AgentDialogs workspaceId={workspaceId} asked={asked} onClose={close} />}
      </Suspense>
    </>
  );
}
