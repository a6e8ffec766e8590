import { getRouteApi } from "@tanstack/react-router";
import { Database } from "lucide-react";
import { useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { useColumns } from "./columns";
import { type DatabaseRow, useDatabases, useDeleteDatabase } from "./queries";
import { databasesText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/databases");

/** All databases of a workspace. */
export function Databases() {
  const text = useText(databasesText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const list = useDatabases(workspaceId, useRested(search.q));
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "dataset.write");
  const columns = useColumns(useMemberNames(workspaceId));
  const [doomed, setDoomed] = useState<DatabaseRow>();
  const remove = useDeleteDatabase();
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => void navigate({ search: { q: value || undefined }, replace: true }),
        }}
        isNarrowed={Boolean(search.q)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState title={text.empty} drawing={<Database size={40} strokeWidth={1} />}>
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
        onKey={(key, database) => key === "Delete" && canWrite && setDoomed(database)}
      />
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
