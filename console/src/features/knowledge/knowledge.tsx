import { getRouteApi, Link } from "@tanstack/react-router";
import { BookOpen, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuLink } from "../../ui/menu/menu";
import { useColumns } from "./columns";
import { type Base, useBases, useDeleteBase } from "./queries";
import { knowledgeText } from "./text";

const CreateBase = lazy(() => import("./create-base"));
const ImportInto = lazy(() => import("./import-into"));
const STATES = ["ready", "in_work", "failed", "empty", "off"] as const;
const page = getRouteApi("/shell/w/$workspaceId/knowledge");

/** All knowledge bases of a workspace. */
export function Knowledge() {
  const text = useText(knowledgeText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const list = useBases(workspaceId, { ...search, q });
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "dataset.write");
  const columns = useColumns(workspaceId);
  const [isChosen, setCreating] = useState(false);
  const isImporting = search.new === "documents" && canWrite;
  const isCreating = isChosen || (Boolean(search.new) && canWrite && !isImporting);
  const [doomed, setDoomed] = useState<Base>();
  const remove = useDeleteBase();
  function set(key: "q" | "kind" | "state", value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [key]: value || undefined }), replace: true });
  }
  function close(): void {
    setCreating(false);
    if (search.new) void navigate({ search: ({ new: _, ...old }) => old, replace: true });
  }
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  function onKey(key: string, base: Base): void {
    if (key === "Enter")
      void navigate({
        to: "/w/$workspaceId/knowledge/$baseId",
        params: { workspaceId, baseId: base.id },
        search: {},
      });
    if (key === "Delete" && canWrite) setDoomed(base);
  }
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={canWrite && create}
        search={{ label: text.search, value: search.q ?? "", onChange: (value) => set("q", value) }}
        filters={
          <>
            <FilterChip
              label={text.filters.state}
              value={STATES.find((each) => each === search.state)}
              options={STATES.map((value) => ({ value, label: text.filters.states[value] }))}
              onChange={(value) => set("state", value)}
            />
            <FilterChip
              label={text.filters.kind}
              value={search.kind}
              options={text.kinds.map((label, index) => ({ value: String(index), label }))}
              onChange={(value) => set("kind", value)}
            />
          </>
        }
        isNarrowed={Boolean(search.q ?? search.kind ?? search.state)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<BookOpen size={40} strokeWidth={1} />}
            action={canWrite && create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(base) => base.id}
        menu={(base) => (
          <RowMenu
            name={base.name}
            id={base.id}
            onDelete={canWrite ? () => setDoomed(base) : undefined}
          >
            <MenuLink
              icon={<BookOpen size={16} />}
              link={
                <Link
                  to="/w/$workspaceId/knowledge/$baseId"
                  params={{ workspaceId, baseId: base.id }}
                />
              }
            >
              {text.open}
            </MenuLink>
          </RowMenu>
        )}
        onKey={onKey}
      />
      <Suspense>
        {isCreating && (
          <CreateBase
            workspaceId={workspaceId}
            isForImport={search.new === "documents"}
            onClose={close}
          />
        )}
        {isImporting && !isChosen && (
          <ImportInto
            workspaceId={workspaceId}
            onCreate={() => setCreating(true)}
            onClose={close}
          />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          name={doomed.name}
          words={text}
          isTyped={doomed.document_count > 0}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
