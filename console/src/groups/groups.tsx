import { Pencil, UsersRound } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../api/list";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { ConfirmDelete } from "../ui/confirm/confirm-delete";
import { ListWithCreate } from "../ui/list/list-with-create";
import { RowMenu } from "../ui/list/row-menu";
import { MenuItem } from "../ui/menu/menu";
import { NameCell } from "../ui/table/name-cell";
import type { Column } from "../ui/table/table";
import { Tile } from "../ui/tile/tile";
import { Ago } from "../ui/time/ago";
import styles from "./groups.module.css";
import { type Group, useDeleteGroup, useGroups } from "./queries";
import { groupsText } from "./text";

const GroupName = lazy(() => import("./group-name"));
const GroupSheet = lazy(() => import("./group-sheet"));

/** Groups of people of a workspace or the deployment, to give things to all of them at once. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Groups({ workspaceId }: { workspaceId?: string }) {
  const text = useText(groupsText);
  const list = useGroups(workspaceId);
  const remove = useDeleteGroup();
  const columns = useColumns();
  const [isMaking, setMaking] = useState(false);
  const [renamed, setRenamed] = useState<Group>();
  const [shown, setShown] = useState<Group>();
  const [doomed, setDoomed] = useState<Group>();
  return (
    <>
      <ListWithCreate
        title={text.label}
        list={list}
        words={text}
        drawing={UsersRound}
        onCreate={() => setMaking(true)}
        columns={columns}
        keyOf={(group) => group.id}
        menuWidth="132px"
        menu={(group) => (
          <span className={styles.rowActions}>
            <Button size="compact" kind="quiet" onClick={() => setShown(group)}>
              {text.members}
            </Button>
            <RowMenu
              name={group.name}
              id={group.id}
              deleteVerb={text.removeVerb}
              onDelete={() => setDoomed(group)}
            >
              <MenuItem icon={<Pencil size={16} />} onSelect={() => setRenamed(group)}>
                {text.rename}
              </MenuItem>
            </RowMenu>
          </span>
        )}
        onKey={(key, group) => {
          if (key === "Enter") setShown(group);
          if (key === "e") setRenamed(group);
          if (key === "Delete") setDoomed(group);
        }}
      />
      <Suspense>
        {isMaking && (
          <GroupName
            workspaceId={workspaceId}
            onDone={(group) => {
              setMaking(false);
              setShown(group);
            }}
            onClose={() => setMaking(false)}
          />
        )}
        {renamed && (
          <GroupName
            workspaceId={workspaceId}
            group={renamed}
            onDone={() => setRenamed(undefined)}
            onClose={() => setRenamed(undefined)}
          />
        )}
        {shown && <GroupSheet key={shown.id} group={shown} onClose={() => setShown(undefined)} />}
      </Suspense>
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

function useColumns(): readonly Column<Group>[] {
  const text = useText(groupsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (group) => (
          <NameCell
            tile={<Tile name={group.name} icon={<UsersRound size={14} />} />}
            name={group.name}
          />
        ),
      },
      {
        key: "changed",
        label: text.columns.changed,
        width: "120px",
        isNumber: true,
        leaveOut: "narrow",
        render: (group) => <Ago at={group.updated_at} />,
      },
    ],
    [text],
  );
}
