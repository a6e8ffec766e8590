import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { BookOpen, LayoutGrid, Plug, Rows3, Workflow } from "lucide-react";
import { useState } from "react";
import { membersQuery } from "../../api/members";
import { useText } from "../../text/catalogue";
import { FilterChip } from "../../ui/chip/filter-chip";
import { Segmented } from "../../ui/segmented/segmented";
import { useParts } from "./queries";
import { agentsText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/agents");

type Key = "state" | "mode" | "creator" | "model" | "uses" | "order" | "view";

function useSet() {
  const navigate = page.useNavigate();
  return (key: Key, value: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, [key]: value }), replace: true });
}

/** What narrows the list of agents, kept in the address. */
export function AgentFilters({ workspaceId }: { workspaceId: string }) {
  const { filters, modes } = useText(agentsText);
  const search = page.useSearch();
  const set = useSet();
  const { data: members } = useQuery(membersQuery(workspaceId));
  const [isNear, setNear] = useState(false);
  const parts = useParts(workspaceId, isNear || Boolean(search.model ?? search.uses));
  const near = () => setNear(true);
  const uses = [
    { field: "dataset_id", icon: <BookOpen size={14} />, items: parts?.datasets },
    { field: "plugin_id", icon: <Plug size={14} />, items: parts?.plugins },
    { field: "workflow_id", icon: <Workflow size={14} />, items: parts?.workflows },
  ];
  return (
    <>
      <FilterChip
        label={filters.state}
        value={search.state}
        options={[
          { value: "published", label: filters.published },
          { value: "changed", label: filters.changed },
          { value: "draft", label: filters.draft },
        ]}
        onChange={(value) => set("state", value)}
      />
      <FilterChip
        label={filters.mode}
        value={search.mode}
        options={[
          { value: "single", label: modes.single },
          { value: "multi", label: modes.multi },
          { value: "workflow", label: modes.workflow },
        ]}
        onChange={(value) => set("mode", value)}
      />
      <FilterChip
        label={filters.model}
        value={search.model}
        options={(parts?.models ?? []).map(({ id, display }) => ({
          value: id,
          label: display.name,
        }))}
        onNear={near}
        onChange={(value) => set("model", value)}
      />
      <FilterChip
        label={filters.uses}
        value={search.uses}
        options={uses.flatMap(({ field, icon, items = [] }) =>
          items.map(({ id, name }) => ({ value: `${field}:${id}`, label: name, icon })),
        )}
        onNear={near}
        onChange={(value) => set("uses", value)}
      />
      {members && members.total > 1 && (
        <FilterChip
          label={filters.creator}
          value={search.creator}
          options={members.items.map((each) => ({
            value: each.user_id,
            label: each.nickname || each.name,
          }))}
          onChange={(value) => set("creator", value)}
        />
      )}
      <FilterChip
        label={filters.order}
        value={search.order}
        options={[
          { value: "desc", label: filters.newest },
          { value: "asc", label: filters.oldest },
        ]}
        onChange={(value) => set("order", value)}
      />
    </>
  );
}

/** Rows or cards. */
export function AgentViews() {
  const { views } = useText(agentsText);
  const { view } = page.useSearch();
  const set = useSet();
  return (
    <Segmented
      label={views.label}
      value={view === "cards" ? "cards" : "table"}
      options={[
        { value: "table", label: views.table, icon: <Rows3 size={14} /> },
        { value: "cards", label: views.cards, icon: <LayoutGrid size={14} /> },
      ]}
      onChange={(next) => set("view", next === "cards" ? next : undefined)}
    />
  );
}
