import { getRouteApi, Link } from "@tanstack/react-router";
import { Activity, Bot, Filter as FilterSign, MessagesSquare } from "lucide-react";
import { useState } from "react";
import { useRested } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { traceText } from "../../trace/text";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListBody } from "../../ui/list/list-body";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuLink } from "../../ui/menu/menu";
import { Page } from "../../ui/page/page";
import { useColumns } from "./columns";
import {
  type Conversation,
  FILTERS,
  type Filter,
  sinceOf,
  TIMES,
  USUAL,
  useAgents,
  useConversations,
} from "./queries";
import { conversationsText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/conversations");

/** What people said to the agents of a workspace, and what came of it. */
export function Conversations() {
  const text = useText(conversationsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const seesOthers = may(workspace, "trace.read");
  const [now] = useState(() => Math.ceil(Date.now() / 60_000) * 60);
  const asked = { ...search, q: useRested(search.q, 300) };
  const list = useConversations(workspaceId, asked, sinceOf(search.time, now));
  const columns = useColumns(workspaceId);
  function open(each: Conversation): void {
    void navigate({
      to: "/w/$workspaceId/conversations/$conversationId",
      params: { workspaceId, conversationId: each.id },
    });
  }
  return (
    <Page title={text.title} context={workspace?.name ?? ""}>
      <ListBody
        title={text.title}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (q) =>
            void navigate({ search: (old) => ({ ...old, q: q || undefined }), replace: true }),
        }}
        filters={<Filters workspaceId={workspaceId} seesOthers={seesOthers} />}
        isNarrowed={Boolean(search.q || FILTERS.some((each) => search[each]))}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState title={text.empty} drawing={<MessagesSquare size={40} strokeWidth={1} />}>
            {seesOthers ? text.emptyWhy : text.onlyOwn}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(each) => each.id}
        menu={(each) => <ConversationMenu conversation={each} seesOthers={seesOthers} />}
        onKey={(key, each) => key === "Enter" && open(each)}
      />
    </Page>
  );
}

type FilterProps = { workspaceId: string; seesOthers: boolean };

function Filters({ workspaceId, seesOthers }: FilterProps) {
  const text = useText(conversationsText);
  const { sources } = useText(traceText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const agents = useAgents(workspaceId);
  const options: Readonly<Record<Filter, readonly { value: string; label: string }[]>> = {
    time: TIMES.map((value) => ({ value, label: text.times[value] })),
    agent: agents.map((each) => ({ value: each.id, label: each.name })),
    source: Object.entries(sources).map(([value, label]) => ({ value, label })),
    feedback: [
      { value: "up", label: text.feedback.up },
      { value: "down", label: text.feedback.down },
    ],
    waits: [{ value: "true", label: text.waits }],
    own: [{ value: "true", label: text.own }],
    user: search.user ? [{ value: search.user, label: search.user }] : [],
  };
  const shown = FILTERS.filter(
    (each) => (each !== "own" || seesOthers) && (each !== "user" || search.user),
  );
  return (
    <>
      {shown.map((each) => (
        <FilterChip
          key={each}
          label={each === "time" && !search.time ? text.times[USUAL] : text.filters[each]}
          value={search[each]}
          options={options[each]}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, [each]: value }), replace: true })
          }
        />
      ))}
    </>
  );
}

type MenuProps = { conversation: Conversation; seesOthers: boolean };

function ConversationMenu({ conversation, seesOthers }: MenuProps) {
  const text = useText(conversationsText);
  const { id, workspace_id: workspaceId, agent_id: agentId, end_user_id: user } = conversation;
  return (
    <RowMenu name={conversation.name} id={id}>
      {agentId && (
        <MenuLink
          icon={<Bot size={16} />}
          link={<Link to="/w/$workspaceId/agents/$agentId" params={{ workspaceId, agentId }} />}
        >
          {text.openAgent}
        </MenuLink>
      )}
      {seesOthers && (
        <MenuLink
          icon={<Activity size={16} />}
          link={
            <Link
              to="/w/$workspaceId/runs"
              params={{ workspaceId }}
              search={{ conversation: id, time: "90d" }}
            />
          }
        >
          {text.openRuns}
        </MenuLink>
      )}
      {user && (
        <MenuLink
          icon={<FilterSign size={16} />}
          link={
            <Link
              to="/w/$workspaceId/conversations"
              params={{ workspaceId }}
              search={{ user, time: "all" }}
            />
          }
        >
          {text.onlyUser}
        </MenuLink>
      )}
    </RowMenu>
  );
}
