import { getRouteApi } from "@tanstack/react-router";
import { Bookmark, Columns3 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useChangePreferences, usePreferences } from "../../session/preferences";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../../ui/menu/menu";
import { Popover } from "../../ui/popover/popover";
import { COLUMNS, type ColumnKey, shownColumns, type Worth } from "./column-choice";
import styles from "./list-tools.module.css";
import { runsText } from "./text";
import { topText } from "./top-text";
import { readSearch, spelledSearch } from "./views";

const ViewsDialog = lazy(() => import("./views-dialog"));
const page = getRouteApi("/shell/w/$workspaceId/runs");

type Props = { workspaceId: string; worth: Worth };

/** How the list is looked at: filters under names, and which columns there are. */
export function ListTools({ workspaceId, worth }: Props) {
  return (
    <span className={styles.tools}>
      <Views workspaceId={workspaceId} />
      <Columns worth={worth} />
    </span>
  );
}

function Views({ workspaceId }: { workspaceId: string }) {
  const { views: text } = useText(topText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const [isEdited, setEdited] = useState(false);
  const all = usePreferences()?.run_views ?? [];
  const views = all.filter((view) => view.workspace_id === workspaceId);
  const now = spelledSearch(search);
  const current = views.find((view) => view.search === now);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="quiet" icon={<Bookmark size={14} />}>
            {current?.name ?? text.title}
          </Button>
        }
      >
        {views.length > 0 && (
          <>
            <MenuChoice
              label={text.title}
              value={current?.search}
              options={views.map((view) => ({ value: view.search, label: view.name }))}
              onChange={(chosen) => void navigate({ search: readSearch(chosen) })}
            />
            <MenuLine />
          </>
        )}
        <MenuItem onSelect={() => setEdited(true)}>
          {current || now === "" ? text.edit : text.keep}
        </MenuItem>
      </Menu>
      <Suspense>
        {isEdited && (
          <ViewsDialog workspaceId={workspaceId} search={now} onClose={() => setEdited(false)} />
        )}
      </Suspense>
    </>
  );
}

function Columns({ worth }: { worth: Worth }) {
  const { columns: names } = useText(runsText);
  const { columns: text } = useText(topText);
  const preferences = usePreferences();
  const { mutate } = useChangePreferences();
  const shown = shownColumns(preferences?.run_columns, worth);
  function show(column: ColumnKey, isShown: boolean): void {
    mutate((before) => {
      const known = new Set<string>(shownColumns(before.run_columns, worth));
      if (isShown) known.add(column);
      else known.delete(column);
      return { ...before, run_columns: COLUMNS.filter((each) => known.has(each)) };
    });
  }
  return (
    <Popover
      align="end"
      label={text.title}
      trigger={
        <Button kind="quiet" icon={<Columns3 size={14} />} disabled={!preferences}>
          {text.title}
        </Button>
      }
    >
      <div className={styles.columns}>
        {COLUMNS.map((column) => (
          <Checkbox
            key={column}
            label={names[column]}
            isChecked={shown.includes(column)}
            onChange={(isShown) => show(column, isShown)}
          />
        ))}
        <Button
          kind="quiet"
          size="compact"
          disabled={preferences?.run_columns?.length === 0}
          onClick={() => mutate((before) => ({ ...before, run_columns: [] }))}
        >
          {text.usual}
        </Button>
      </div>
    </Popover>
  );
}
