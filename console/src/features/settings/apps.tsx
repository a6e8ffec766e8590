import { AppWindow, Pencil, RefreshCw } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { may, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { tokensText } from "../../tokens/text";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListWithCreate } from "../../ui/list/list-with-create";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import { type App, useApps, useDeleteApp, useResetSecret } from "./app-queries";
import { AppShown } from "./app-shown";
import { settingsText } from "./text";

const AppForm = lazy(() => import("./app-form"));

/** Programs that sign in with OAuth: by what people allow them, or with their key. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Apps({ workspace }: { workspace: Workspace }) {
  const { apps: text } = useText(settingsText);
  const list = useApps(workspace.id);
  const remove = useDeleteApp();
  const reset = useResetSecret();
  const columns = useColumns();
  const [isMaking, setMaking] = useState(false);
  const [changed, setChanged] = useState<App>();
  const [doomed, setDoomed] = useState<App>();
  const failure = failureOf(reset.error);
  const canManage = may(workspace, "workspace.write");
  return (
    <>
      <ListWithCreate
        title={text.label}
        list={list}
        words={text}
        drawing={AppWindow}
        onCreate={canManage ? () => setMaking(true) : undefined}
        above={failure && <ErrorLine failure={failure} />}
        columns={columns}
        keyOf={(app) => app.id}
        menu={(app) => (
          <RowMenu
            name={app.name}
            id={app.id}
            deleteVerb={text.removeVerb}
            onDelete={() => setDoomed(app)}
          >
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setChanged(app)}>
              {text.change}
            </MenuItem>
            {app.type === "web" && (
              <MenuItem icon={<RefreshCw size={16} />} onSelect={() => reset.mutate(app)}>
                {text.newSecret}
              </MenuItem>
            )}
          </RowMenu>
        )}
        onKey={(key, app) => {
          if (key === "Enter" || key === "e") setChanged(app);
          if (key === "Delete") setDoomed(app);
        }}
      />
      <Suspense>
        {isMaking && <AppForm workspace={workspace} onClose={() => setMaking(false)} />}
        {changed && (
          <AppForm workspace={workspace} app={changed} onClose={() => setChanged(undefined)} />
        )}
      </Suspense>
      {reset.data && <AppShown app={reset.data} onClose={reset.reset} />}
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<App>[] {
  const { apps: text } = useText(settingsText);
  const { tokens, scopes, appTypes } = useText(tokensText);
  return useMemo(() => {
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(220px, 1fr)",
        render: (app) => (
          <NameCell
            tile={<Tile name={app.name} icon={<AppWindow size={14} />} />}
            name={app.name}
            note={app.disabled_at === null ? app.client_id : text.disabled}
          />
        ),
      },
      {
        key: "type",
        label: text.columns.type,
        width: "168px",
        leaveOut: "narrow",
        render: (app) => appTypes[app.type],
      },
      {
        key: "may",
        label: text.columns.may,
        width: "108px",
        leaveOut: "medium",
        render: (app) => (
          <span title={app.permissions.map((each) => scopes[each]).join("\n")}>
            {tokens.chosen(app.permissions.length)}
          </span>
        ),
      },
      {
        key: "used",
        label: text.columns.used,
        width: "108px",
        isNumber: true,
        leaveOut: "narrow",
        render: (app) => (app.last_used_at ? <Ago at={app.last_used_at} /> : tokens.unused),
      },
    ];
  }, [text, tokens, scopes, appTypes]);
}
