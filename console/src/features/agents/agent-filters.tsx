import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { membersQuery } from "../../api/members";
import { useText } from "../../text/catalogue";
import { FilterChip } from "../../ui/chip/filter-chip";
import { agentsText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/agents");

/** What narrows the list of agents, kept in the address. */
export function AgentFilters({ workspaceId }: { workspaceId: string }) {
  const { filters } = useText(agentsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { data: members } = useQuery(membersQuery(workspaceId));
  function set(key: "state" | "creator" | "order", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value }), replace: true });
  }
  return (
    <>
      <FilterChip
        label={filters.state}
        value={search.state}
        options={[
          { value: "published", label: filters.published },
          { value: "draft", label: filters.draft },
        ]}
        onChange={(value) => set("state", value)}
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
