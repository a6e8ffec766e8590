import { CircleCheck, CircleSlash, LogOut, Plus, Ticket, UserCheck } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
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
import styles from "./administration.module.css";
import { type User, useLink, useSignOutUser, useSwitchUser, useUsers } from "./queries";
import { useSearch } from "./search";
import { administrationText } from "./text";

const NewUser = lazy(() => import("./new-user"));
const LinkShown = lazy(() => import("./link-shown"));

/** The accounts of the deployment. */
export function Users() {
  const { users: text } = useText(administrationText);
  const { user: me } = useSession();
  const { q, ofList } = useSearch(text);
  const list = useUsers(q);
  const columns = useColumns();
  const link = useLink();
  const change = useSwitchUser();
  const signOut = useSignOutUser();
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<User>();
  const failure = failureOf(link.error ?? signOut.error);
  const nameOf = (user: User) => user.nickname || user.name;
  return (
    <>
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.label}
        {...ofList}
        filters={
          <span className={styles.aside}>
            <Button kind="primary" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
              {text.create}
            </Button>
          </span>
        }
        empty={null}
        list={list}
        columns={columns}
        keyOf={(user) => user.id}
        menu={(user) => (
          <RowMenu
            name={nameOf(user)}
            id={user.id}
            deleteVerb={text.disable}
            onDelete={user.id === me.id || user.is_disabled ? undefined : () => setDoomed(user)}
          >
            {user.is_disabled ? (
              <MenuItem
                icon={<UserCheck size={16} />}
                onSelect={() =>
                  change.mutate(
                    { user, isDisabled: false },
                    { onSuccess: () => toast(text.enabled(nameOf(user))) },
                  )
                }
              >
                {text.enable}
              </MenuItem>
            ) : (
              <>
                <MenuItem icon={<Ticket size={16} />} onSelect={() => link.mutate(user)}>
                  {text.link}
                </MenuItem>
                <MenuItem
                  icon={<LogOut size={16} />}
                  onSelect={() =>
                    signOut.mutate(user, {
                      onSuccess: () => toast(text.signedOut(nameOf(user))),
                    })
                  }
                >
                  {text.signOut}
                </MenuItem>
              </>
            )}
          </RowMenu>
        )}
      />
      <Suspense>
        {isMaking && <NewUser onClose={() => setMaking(false)} />}
        {link.data && (
          <LinkShown name={nameOf(link.data.user)} url={link.data.url} onClose={link.reset} />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={nameOf(doomed)}
          isTyped={false}
          remove={{
            isPending: change.isPending,
            mutate: (user, { onSuccess }) =>
              change.mutate({ user, isDisabled: true }, { onSuccess }),
          }}
          failure={failureOf(change.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<User>[] {
  const { users: text } = useText(administrationText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (user) => {
          const name = user.nickname || user.name;
          return (
            <NameCell
              tile={<Tile isRound name={name} />}
              name={name}
              note={name === user.name ? undefined : user.name}
            />
          );
        },
      },
      {
        key: "email",
        label: text.columns.email,
        width: "minmax(120px, 220px)",
        leaveOut: "medium",
        render: (user) => user.email,
      },
      {
        key: "kind",
        label: text.columns.kind,
        width: "120px",
        leaveOut: "narrow",
        render: (user) => (user.is_admin ? text.admin : text.member),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "112px",
        render: (user) =>
          user.is_disabled ? (
            <StateBadge tone="neutral" icon={<CircleSlash size={14} />}>
              {text.states.disabled}
            </StateBadge>
          ) : (
            <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
              {text.states.active}
            </StateBadge>
          ),
      },
      {
        key: "created",
        label: text.columns.created,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (user) => <Ago at={user.created_at} />,
      },
    ],
    [text],
  );
}
