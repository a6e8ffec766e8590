import { getRouteApi } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import { useRested } from "../../api/list";
import { useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { Command } from "../../ui/text-field/command";
import { useColumns } from "./columns";
import { useBases } from "./queries";
import { knowledgeText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge");
const IMPORT = "coterie knowledge import folder/";

/** All knowledge bases of a workspace. */
export function Knowledge() {
  const text = useText(knowledgeText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const list = useBases(workspaceId, { ...search, q });
  const workspace = useWorkspace(workspaceId);
  const columns = useColumns();
  function set(key: "q" | "kind", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  return (
    <ListScreen
      title={text.title}
      context={workspace?.name ?? ""}
      search={{ label: text.search, value: search.q ?? "", onChange: (value) => set("q", value) }}
      filters={
        <FilterChip
          label={text.filters.kind}
          value={search.kind}
          options={text.kinds.map((label, index) => ({ value: String(index), label }))}
          onChange={(value) => set("kind", value)}
        />
      }
      isNarrowed={Boolean(search.q ?? search.kind)}
      onClearFilters={() => void navigate({ search: {} })}
      noMatch={{ title: text.noMatch, clear: text.clearFilters }}
      empty={
        <EmptyState
          title={text.empty}
          drawing={<BookOpen size={40} strokeWidth={1} />}
          action={<Command command={IMPORT} />}
        >
          {text.emptyWhy}
        </EmptyState>
      }
      list={list}
      columns={columns}
      keyOf={(base) => base.id}
      menu={(base) => <RowMenu name={base.name} id={base.id} />}
    />
  );
}
