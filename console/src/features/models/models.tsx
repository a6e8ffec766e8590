import { getRouteApi } from "@tanstack/react-router";
import { Box } from "lucide-react";
import { useRested } from "../../api/list";
import { useText } from "../../text/catalogue";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { Command } from "../../ui/text-field/command";
import { useColumns } from "./columns";
import { useModels } from "./queries";
import { modelsText } from "./text";

const page = getRouteApi("/shell/models");
const ADD = "coterie model add --name some-model --base-url https://models.example.org/v1";

/** The models of the deployment. */
export function Models() {
  const text = useText(modelsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const list = useModels({ ...search, q });
  const columns = useColumns();
  function set(key: "q" | "type", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  return (
    <ListScreen
      title={text.title}
      search={{ label: text.search, value: search.q ?? "", onChange: (value) => set("q", value) }}
      filters={
        <FilterChip
          label={text.filters.type}
          value={search.type}
          options={[
            { value: "llm", label: text.types.llm },
            { value: "embedding", label: text.types.embedding },
            { value: "rerank", label: text.types.rerank },
          ]}
          onChange={(value) => set("type", value)}
        />
      }
      isNarrowed={Boolean(search.q ?? search.type)}
      onClearFilters={() => void navigate({ search: {} })}
      noMatch={{ title: text.noMatch, clear: text.clearFilters }}
      empty={
        <EmptyState
          title={text.empty}
          drawing={<Box size={40} strokeWidth={1} />}
          action={<Command command={ADD} />}
        >
          {text.emptyWhy}
        </EmptyState>
      }
      list={list}
      columns={columns}
      keyOf={(model) => model.id}
      menu={(model) => <RowMenu name={model.display.name || model.id} id={model.id} />}
    />
  );
}
