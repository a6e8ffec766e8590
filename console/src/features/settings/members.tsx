import { Link2, Plus, UserRound } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { useRoleName } from "../../session/role-name";
import { may, useSession, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListBody } from "../../ui/list/list-body";
import { RowMenu } from "../../ui/list/row-menu";
import { Select } from "../../ui/select/select";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import { type Member, useMembers, useRemoveMember, useSetRole } from "./queries";
import { rolesFor } from "./roles";
import styles from "./settings.module.css";
import { settingsText } from "./text";

const Invite = lazy(() => import("./invite"));
const AddMember = lazy(() => import("./add-member"));

/** Who is in a workspace, and as what. */
export function Members({ workspace }: { workspace: Workspace }) {
  const { members: text } = useText(settingsText);
  const { user } = useSession();
  const list = useMembers(workspace.id);
  const remove = useRemoveMember(workspace.id);
  const role = useSetRole(workspace.id);
  const columns = useColumns(workspace, role.mutate);
  const [isAdding, setAdding] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [doomed, setDoomed] = useState<Member>();
  const isTeam = workspace.type === "team";
  const canManage = may(workspace, "workspace.write") && isTeam;
  const failure = failureOf(role.error);
  const canRemove = (member: Member) =>
    canManage &&
    member.user_id !== user.id &&
    (member.role !== "owner" || workspace.role === "owner");
  if (!isTeam) {
    return (
      <EmptyState title={text.personal} drawing={<UserRound size={40} strokeWidth={1} />}>
        {text.personalWhy}
      </EmptyState>
    );
  }
  return (
    <>
      {canManage && (
        <div className={styles.tools}>
          <Button icon={<Link2 size={16} />} onClick={() => setInviting(true)}>
            {text.invite}
          </Button>
          <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </div>
      )}
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.columns.name}
        list={list}
        empty={null}
        columns={columns}
        keyOf={(member) => member.user_id}
        menu={(member) => (
          <RowMenu
            name={member.nickname || member.name}
            id={member.user_id}
            deleteVerb={text.removeVerb}
            onDelete={canRemove(member) ? () => setDoomed(member) : undefined}
          />
        )}
        onKey={(key, member) => {
          if (key === "Delete" && canRemove(member)) setDoomed(member);
        }}
      />
      <Suspense>
        {isInviting && <Invite workspace={workspace} onClose={() => setInviting(false)} />}
        {isAdding && <AddMember workspace={workspace} onClose={() => setAdding(false)} />}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.nickname || doomed.name}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

type SetRole = ReturnType<typeof useSetRole>["mutate"];

function useColumns(workspace: Workspace, setRole: SetRole): readonly Column<Member>[] {
  const all = useText(settingsText);
  const roleName = useRoleName();
  const { user } = useSession();
  return useMemo(() => {
    const text = all.members;
    const canManage = may(workspace, "workspace.write");
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (member) => {
          const name = member.nickname || member.name;
          const isMe = member.user_id === user.id;
          return (
            <NameCell
              tile={<Tile isRound name={name} />}
              name={isMe ? `${name} (${text.you})` : name}
              note={member.name === name ? undefined : member.name}
            />
          );
        },
      },
      {
        key: "role",
        label: text.columns.role,
        width: "148px",
        render: (member) => {
          const name = member.nickname || member.name;
          const roles = rolesFor(workspace.role);
          if (!canManage || !roles.includes(member.role)) return roleName(member.role);
          return (
            <div className={styles.role}>
              <Select
                label={text.roleOf(name)}
                isLabelHidden
                size="compact"
                value={member.role}
                options={roles.map((value) => ({ value, label: roleName(value) }))}
                onChange={(role) => {
                  if (role === member.role) return;
                  const said = () => toast(text.changed(name, roleName(role)));
                  setRole({ userId: member.user_id, role }, { onSuccess: said });
                }}
              />
            </div>
          );
        },
      },
      {
        key: "joined",
        label: text.columns.joined,
        width: "120px",
        isNumber: true,
        leaveOut: "narrow",
        render: (member) => <Ago at={member.joined_at} />,
      },
    ];
  }, [all, user.id, workspace, setRole, roleName]);
}
