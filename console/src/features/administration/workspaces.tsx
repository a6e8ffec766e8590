import { CircleCheck, CirclePause, Gauge, Pause, Play, Trash2, Undo2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListBody } from "../../ui/list/list-body";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import { useChangeWorkspace, useWorkspaces, type WorkspaceRow } from "./queries";
import { useSearch } from "./search";
import { administrationText } from "./text";

const Limits = lazy(() => import("./limits"));

/** All workspaces of the deployment, without what is in them. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Workspaces() {
  const { workspaces: text } = useText(administrationText);
  const { q, ofList } = useSearch(text);
  const list = useWorkspaces(q);
  const columns = useColumns();
  const change = useChangeWorkspace();
  const [limited, setLimited] = useState<WorkspaceRow>();
  const [asked, setAsked] = useState<{ row: WorkspaceRow; what: "closing" | "removal" }>();
  const failure = asked ? undefined : failureOf(change.error);
  return (
    <>
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.label}
        {...ofList}
        empty={null}
        list={list}
        columns={columns}
        keyOf={(row) => row.id}
        menu={(row) => (
          <RowMenu
            name={row.name}
            id={row.id}
            onDelete={
              row.type === "team" && row.deleted_at === null
                ? () => setAsked({ row, what: "removal" })
                : undefined
            }
          >
            {row.deleted_at === null && (
              <MenuItem icon={<Gauge size={16} />} onSelect={() => setLimited(row)}>
                {text.limits}
              </MenuItem>
            )}
            {row.deleted_at !== null && (
              <MenuItem
                icon={<Undo2 size={16} />}
                onSelect={() =>
                  change.mutate(
                    { id: row.id, restored: true },
                    { onSuccess: () => toast(text.restored(row.name)) },
                  )
                }
              >
                {text.restore}
              </MenuItem>
            )}
            {row.type === "team" && row.deleted_at === null && row.suspended_at === null && (
              <MenuItem
                icon={<Pause size={16} />}
                onSelect={() => setAsked({ row, what: "closing" })}
              >
                {text.suspend}
              </MenuItem>
            )}
            {row.suspended_at !== null && (
              <MenuItem
                icon={<Play size={16} />}
                onSelect={() =>
                  change.mutate(
                    { id: row.id, suspended: false },
                    { onSuccess: () => toast(text.resumed(row.name)) },
                  )
                }
              >
                {text.resume}
              </MenuItem>
            )}
          </RowMenu>
        )}
        onKey={(key, row) => {
          if (row.deleted_at !== null) return;
          if (key === "Enter") setLimited(row);
          if (key === "Delete" && row.type === "team") setAsked({ row, what: "removal" });
        }}
      />
      <Suspense>
        {limited && (
          <Limits key={limited.id} workspace={limited} onClose={() => setLimited(undefined)} />
        )}
      </Suspense>
      {asked && (
        <ConfirmDelete
          thing={asked.row}
          words={text[asked.what]}
          name={asked.row.name}
          isTyped={asked.what === "removal"}
          remove={{
            isPending: change.isPending,
            mutate: ({ id }, { onSuccess }) =>
              change.mutate(
                asked.what === "removal" ? { id, deleted: true } : { id, suspended: true },
                { onSuccess },
              ),
          }}
          failure={failureOf(change.error)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<WorkspaceRow>[] {
  const { workspaces: text } = useText(administrationText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (row) => (
          <NameCell
            tile={<Tile name={row.name} />}
            name={row.name}
            note={
              Object.values(row.limits).some((each) => each !== null) ? text.limited : undefined
            }
          />
        ),
      },
      {
        key: "kind",
        label: text.columns.kind,
        width: "104px",
        leaveOut: "medium",
        render: (row) => (row.type === "team" ? text.team : text.personal),
      },
      {
        key: "members",
        label: text.columns.members,
        width: "88px",
        isNumber: true,
        leaveOut: "narrow",
        render: (row) => formatNumber(row.member_count),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "128px",
        render: (row) => <State row={row} />,
      },
      {
        key: "created",
        label: text.columns.created,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (row) => <Ago at={row.created_at} />,
      },
    ],
    [text],
  );
}

function State({ row }: { row: WorkspaceRow }) {
  const { workspaces: text } = useText(administrationText);
  if (row.deleted_at !== null) {
    return (
      <StateBadge tone="bad" icon={<Trash2 size={14} />}>
        {text.states.deleted}
      </StateBadge>
    );
  }
  if (row.suspended_at !== null) {
    return (
      <StateBadge tone="warn" icon={<CirclePause size={14} />}>
        {text.states.suspended}
      </StateBadge>
    );
  }
  return (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {text.states.open}
    </StateBadge>
  );
}
