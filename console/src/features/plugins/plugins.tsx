import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Blocks, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { useSelection } from "../../ui/table/selection";
import { useColumns } from "./columns";
import { type Plugin, useDeletePlugin, usePlugins } from "./queries";
import { pluginsText } from "./text";

const PluginsBulk = lazy(() => import("./plugins-bulk"));
const page = getRouteApi("/shell/w/$workspaceId/plugins");

/** All plugins of a workspace. */
export function Plugins() {
  const text = useText(pluginsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const go = useNavigate();
  const q = useRested(search.q);
  const list = usePlugins(workspaceId, { ...search, q });
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "plugin.write");
  const columns = useColumns(useMemberNames(workspaceId));
  const selection = useSelection(list.rows.map((plugin) => plugin.id));
  const [doomed, setDoomed] = useState<Plugin>();
  const remove = useDeletePlugin();
  const bring = canWrite && (
    <Button
      kind="primary"
      icon={<Upload size={16} />}
      onClick={() => void go({ to: "/w/$workspaceId/plugins/import", params: { workspaceId } })}
    >
      {text.import}
    </Button>
  );
  function onKey(key: string, plugin: Plugin): void {
    if (key === "Enter") {
      void go({
        to: "/w/$workspaceId/plugins/$pluginId",
        params: { workspaceId, pluginId: plugin.id },
      });
    }
    if (key === "Delete" && canWrite) setDoomed(plugin);
  }
  function set(key: "q" | "state", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={bring}
        search={{ label: text.search, value: search.q ?? "", onChange: (value) => set("q", value) }}
        filters={
          <FilterChip
            label={text.filters.state}
            value={search.state}
            options={[
              { value: "published", label: text.filters.published },
              { value: "draft", label: text.filters.draft },
            ]}
            onChange={(value) => set("state", value)}
          />
        }
        isNarrowed={Boolean(search.q ?? search.state)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<Blocks size={40} strokeWidth={1} />}
            action={bring}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(plugin) => plugin.id}
        nameOf={(plugin) => plugin.name}
        selection={canWrite ? selection : undefined}
        bulk={
          <Suspense>
            <PluginsBulk
              plugins={list.rows.filter((plugin) => selection.chosen.has(plugin.id))}
              onClear={selection.clear}
            />
          </Suspense>
        }
        menu={(plugin) => (
          <RowMenu
            name={plugin.name}
            id={plugin.id}
            onDelete={canWrite ? () => setDoomed(plugin) : undefined}
          />
        )}
        onKey={onKey}
      />
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name}
          isTyped={doomed.status === "published"}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
