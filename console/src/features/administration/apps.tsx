import { AppWindow, CircleCheck, CirclePause, Pause, Play } from "lucide-react";
import { useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { tokensText } from "../../tokens/text";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
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
import { type AppRow, useAllApps, useChangeAnyApp } from "./queries";
import { useSearch } from "./search";
import { administrationText } from "./text";

/** Programs that sign in with OAuth, of all workspaces. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Apps() {
  const { apps: text } = useText(administrationText);
  const { q, ofList } = useSearch(text);
  const list = useAllApps(q);
  const columns = useColumns();
  const change = useChangeAnyApp();
  const [doomed, setDoomed] = useState<{ app: AppRow; change: "disable" | "remove" }>();
  const failure = doomed ? undefined : failureOf(change.error);
  return (
    <>
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.label}
        {...ofList}
        empty={
          <EmptyState title={text.empty} drawing={<AppWindow size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(app) => app.id}
        menu={(app) => (
          <RowMenu
            name={app.name}
            id={app.id}
            deleteVerb={text.remove.removeVerb}
            onDelete={() => setDoomed({ app, change: "remove" })}
          >
            {app.disabled_at === null ? (
              <MenuItem
                icon={<Pause size={16} />}
                onSelect={() => setDoomed({ app, change: "disable" })}
              >
                {text.disable.removeVerb}
              </MenuItem>
            ) : (
              <MenuItem
                icon={<Play size={16} />}
                onSelect={() =>
                  change.mutate(
                    { id: app.id, change: "enable" },
                    { onSuccess: () => toast(text.enabled(app.name)) },
                  )
                }
              >
                {text.enable}
              </MenuItem>
            )}
          </RowMenu>
        )}
        onKey={(key, app) => key === "Delete" && setDoomed({ app, change: "remove" })}
      />
      {doomed && (
        <ConfirmDelete
          thing={doomed.app}
          words={text[doomed.change]}
          name={doomed.app.name}
          isTyped={false}
          remove={{
            isPending: change.isPending,
            mutate: ({ id }, { onSuccess }) =>
              change.mutate({ id, change: doomed.change }, { onSuccess }),
          }}
          failure={failureOf(change.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<AppRow>[] {
  const { apps: text } = useText(administrationText);
  const { appTypes } = useText(tokensText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (app) => (
          <NameCell
            tile={<Tile name={app.name} icon={<AppWindow size={14} />} />}
            name={app.name}
            note={app.client_id}
          />
        ),
      },
      {
        key: "workspace",
        label: text.columns.workspace,
        width: "minmax(120px, 200px)",
        leaveOut: "narrow",
        render: (app) => app.space_name,
      },
      {
        key: "type",
        label: text.columns.type,
        width: "168px",
        leaveOut: "medium",
        render: (app) => appTypes[app.type],
      },
      {
        key: "state",
        label: text.columns.state,
        width: "112px",
        render: ({ disabled_at }) =>
          disabled_at === null ? (
            <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
              {text.states.open}
            </StateBadge>
          ) : (
            <StateBadge tone="warn" icon={<CirclePause size={14} />}>
              {text.states.disabled}
            </StateBadge>
          ),
      },
      {
        key: "used",
        label: text.columns.used,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (app) => (app.last_used_at ? <Ago at={app.last_used_at} /> : text.unused),
      },
    ],
    [text, appTypes],
  );
}
