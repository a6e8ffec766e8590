import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Box, Plus } from "lucide-react";
import { useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { useColumns } from "./columns";
import { type Model, useDeleteModel, useFigures, useModels } from "./queries";
import { modelsText } from "./text";

const page = getRouteApi("/shell/models");

/** The models of the deployment. */
export function Models() {
  const text = useText(modelsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const list = useModels({ ...search, q });
  const go = useNavigate();
  const { is_admin: isAdmin } = useSession().user;
  const columns = useColumns(isAdmin, useFigures(isAdmin));
  const [doomed, setDoomed] = useState<Model>();
  const remove = useDeleteModel();
  const open = (modelId: string) => void go({ to: "/models/$modelId", params: { modelId } });
  const add = isAdmin && (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => open("new")}>
      {text.create}
    </Button>
  );
  function set(key: "q" | "type", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  return (
    <>
      <ListScreen
        title={text.title}
        action={add}
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
          <EmptyState title={text.empty} drawing={<Box size={40} strokeWidth={1} />} action={add}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(model) => model.id}
        menu={(model) => (
          <RowMenu
            name={model.display.name || model.id}
            id={model.id}
            onDelete={isAdmin && !model.is_read_only ? () => setDoomed(model) : undefined}
          />
        )}
        onKey={(key, model) => {
          if (isAdmin && (key === "Enter" || key === "e")) open(model.id);
          if (isAdmin && key === "Delete" && !model.is_read_only) setDoomed(model);
        }}
      />
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.display.name}
          isTyped
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
