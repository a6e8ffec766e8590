import { getRouteApi } from "@tanstack/react-router";
import { Plus, Upload, Workflow } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useRested } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { useSelection } from "../../ui/table/selection";
import { useColumns } from "./columns";
import { useBringBack, useDeleteWorkflows, useWorkflows, type WorkflowRow } from "./queries";
import { workflowsText } from "./text";
import { WorkflowMenu } from "./workflow-menu";

const DeleteDialog = lazy(() => import("./delete-dialog"));
const NewDialog = lazy(() => import("./new-dialog"));
const BulkDelete = lazy(() => import("../../ui/list/bulk-delete"));
const ImportDialog = lazy(() => import("./import/import-dialog"));
const page = getRouteApi("/shell/w/$workspaceId/workflows");

/** All workflows of a workspace. */
export function Workflows() {
  const text = useText(workflowsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const list = useWorkflows(workspaceId, { ...search, q });
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "workflow.write");
  const columns = useColumns(workspaceId);
  const selection = useSelection(list.rows.map((each) => each.id));
  const removeAll = useDeleteWorkflows();
  const bringBack = useBringBack();
  const [doomed, setDoomed] = useState<WorkflowRow>();
  const [chosen, setAsked] = useState<"create" | "import">();
  const asked = chosen ?? (canWrite ? askedBy(search.new) : undefined);
  function set(key: "q" | "state" | "mode" | "order", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  const filters = (
    <>
      <FilterChip
        label={text.filters.state}
        value={search.state}
        options={[
          { value: "published", label: text.filters.published },
          { value: "draft", label: text.filters.draft },
        ]}
        onChange={(value) => set("state", value)}
      />
      <FilterChip
        label={text.filters.kind}
        value={search.mode}
        options={[
          { value: "workflow", label: text.kinds.workflow },
          { value: "chatflow", label: text.kinds.chatflow },
        ]}
        onChange={(value) => set("mode", value)}
      />
      <FilterChip
        label={text.filters.order}
        value={search.order}
        options={[
          { value: "desc", label: text.filters.newest },
          { value: "asc", label: text.filters.oldest },
        ]}
        onChange={(value) => set("order", value)}
      />
    </>
  );
  function open(id: string): void {
    const params = { workspaceId, workflowId: id };
    void navigate({ to: "/w/$workspaceId/workflows/$workflowId", params });
  }
  function close(): void {
    setAsked(undefined);
    if (search.new) void navigate({ search: ({ new: _, ...old }) => old, replace: true });
  }
  const actions = canWrite && (
    <>
      <Button icon={<Upload size={16} />} onClick={() => setAsked("import")}>
        {text.bring}
      </Button>
      <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAsked("create")}>
        {text.create}
      </Button>
    </>
  );
  return (
    <>
      <ListScreen
        title={text.title}
        action={actions}
        context={workspace?.name ?? ""}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => set("q", value),
        }}
        filters={filters}
        isNarrowed={Boolean(search.q ?? search.state ?? search.mode)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<Workflow size={40} strokeWidth={1} />}
            action={actions}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(workflow) => workflow.id}
        nameOf={(workflow) => workflow.name}
        selection={canWrite ? selection : undefined}
        bulk={
          <Suspense>
            <BulkDelete
              things={list.rows.filter((each) => selection.chosen.has(each.id))}
              remove={removeAll}
              restore={(gone) => Promise.all(gone.map((each) => bringBack(each.id)))}
              onClear={selection.clear}
            />
          </Suspense>
        }
        menu={(workflow) => (
          <WorkflowMenu
            workflow={workflow}
            canWrite={canWrite}
            onDelete={() => setDoomed(workflow)}
          />
        )}
        onKey={(key, workflow) => {
          if (key === "Enter") open(workflow.id);
          if (key === "Delete" && canWrite) setDoomed(workflow);
        }}
      />
      <Suspense>
        {asked === "create" && (
          <NewDialog workspaceId={workspaceId} onClose={close} onMade={open} />
        )}
        {asked === "import" && (
          <ImportDialog workspaceId={workspaceId} onClose={close} onOpen={open} />
        )}
        {doomed && <DeleteDialog workflow={doomed} onClose={() => setDoomed(undefined)} />}
      </Suspense>
    </>
  );
}

/** What an address that leads here to begin something asks for. */
function askedBy(wanted: string | undefined): "create" | "import" | undefined {
  if (wanted === "canvas") return "import";
  return wanted ? "create" : undefined;
}
