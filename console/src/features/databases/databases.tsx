import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Database, Plus, Variable } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import header from "../../ui/page/header-link.module.css";
import { useColumns } from "./columns";
import { type DatabaseRow, useDatabases, useDeleteDatabase } from "./queries";
import { databasesText } from "./text";

const NewTable = lazy(() => import("./new-table"));
const page = getRouteApi("/shell/w/$workspaceId/databases");

/** All databases of a workspace. */
export function Databases() {
  const text = useText(databasesText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const go = useNavigate();
  const [isNew, setNew] = useState(false);
  const list = useDatabases(workspaceId, useRested(search.q));
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "dataset.write");
  const columns = useColumns(useMemberNames(workspaceId));
  const [doomed, setDoomed] = useState<DatabaseRow>();
  const remove = useDeleteDatabase();
  const create = canWrite && (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setNew(true)}>
      {text.create}
    </Button>
  );
  function open(databaseId: string): void {
    void go({
      to: "/w/$workspaceId/databases/$databaseId",
      params: { workspaceId, databaseId },
    });
  }
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={
          <>
            {may(workspace, "variable") && (
              <Link
                to="/w/$workspaceId/databases/variables"
                params={{ workspaceId }}
                aria-label={text.variables}
                className={header.open}
              >
                <Variable size={16} />
                <span>{text.variables}</span>
              </Link>
            )}
            {create}
          </>
        }
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => void navigate({ search: { q: value || undefined }, replace: true }),
        }}
        isNarrowed={Boolean(search.q)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<Database size={40} strokeWidth={1} />}
            action={create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(database) => database.id}
        menu={(database) => (
          <RowMenu
            name={database.table_name}
            id={database.id}
            onDelete={canWrite ? () => setDoomed(database) : undefined}
          />
        )}
        onKey={(key, database) => {
          if (key === "Enter") open(database.id);
          if (key === "Delete" && canWrite) setDoomed(database);
        }}
      />
      <Suspense>
        {isNew && (
          <NewTable workspaceId={workspaceId} onClose={() => setNew(false)} onMade={open} />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.table_name}
          isTyped
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
