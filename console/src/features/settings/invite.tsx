import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import type { InvitationItem, Role } from "../../api/schema";
import { useRoleName } from "../../session/role-name";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { Select } from "../../ui/select/select";
import { uiText } from "../../ui/text";
import { Command } from "../../ui/text-field/command";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import { invitationsQuery, useInvite, useRevokeInvitation } from "./queries";
import { RoleCards } from "./role-cards";
import { rolesFor } from "./roles";
import styles from "./settings.module.css";
import { settingsText } from "./text";

type Props = { workspace: Workspace; onClose: () => void };

const DAY_S = 86_400;
const SPANS = { day: DAY_S, week: 7 * DAY_S, month: 30 * DAY_S } as const;
const COUNTS = { one: 1, five: 5, many: 50, any: null } as const;
type Span = keyof typeof SPANS;
type Count = keyof typeof COUNTS;

/** A link that lets people in; it is shown once, those that are open can be revoked. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Invite({ workspace, onClose }: Props) {
  const { members: text } = useText(settingsText);
  const { cancel, close } = useText(uiText);
  const [role, setRole] = useState<Role>("editor");
  const [count, setCount] = useState<Count>("one");
  const [span, setSpan] = useState<Span>("week");
  const { mutate, data, isPending, error } = useInvite(workspace.id);
  const failure = failureOf(error);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    const expires_at = Math.floor(Date.now() / 1000) + SPANS[span];
    mutate({ role, max_uses: COUNTS[count], expires_at });
  }
  const counts: readonly Count[] = ["one", "five", "many", "any"];
  const spans: readonly Span[] = ["day", "week", "month"];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.inviteTitle}
      description={text.inviteWhy}
      isExplicit={data !== undefined}
      actions={
        data ? (
          <Button kind="primary" onClick={onClose}>
            {close}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{cancel}</Button>
            <Button kind="primary" type="submit" form={form} isLoading={isPending}>
              {text.inviteVerb}
            </Button>
          </>
        )
      }
    >
      {data ? (
        <Command label={text.link} command={data.url} />
      ) : (
        <Form
          entered={[role, count, span]}
          isSaving={isPending}
          id={form}
          onSubmit={submit}
          className={fields.fields}
        >
          <RoleCards
            roles={rolesFor(workspace.role).filter((each) => each !== "owner")}
            value={role}
            onChange={setRole}
          />
          <div className={fields.pair}>
            <Select
              label={text.people}
              value={count}
              options={counts.map((value) => ({ value, label: text.counts[value] }))}
              onChange={setCount}
            />
            <Select
              label={text.lasts}
              value={span}
              options={spans.map((value) => ({ value, label: text.spans[value] }))}
              onChange={setSpan}
            />
          </div>
          {failure && (
            <ErrorLine
              failure={failure}
              labels={{ max_uses: text.people, expires_at: text.lasts }}
            />
          )}
        </Form>
      )}
      <OpenInvitations workspaceId={workspace.id} />
    </Dialog>
  );
}

function OpenInvitations({ workspaceId }: { workspaceId: string }) {
  const { members: text } = useText(settingsText);
  const { data } = useQuery(invitationsQuery(workspaceId));
  const revoke = useRevokeInvitation();
  const failure = failureOf(revoke.error);
  if (!data?.items.length) return null;
  return (
    <section className={styles.invitations}>
      <h3 className={styles.label}>{text.openLinks}</h3>
      <ul>
        {data.items.map((each) => (
          <Open
            key={each.id}
            invitation={each}
            onRevoke={() => revoke.mutate(each.id, { onSuccess: () => toast(text.revoked) })}
          />
        ))}
      </ul>
      {failure && <ErrorLine failure={failure} />}
    </section>
  );
}

type OpenProps = { invitation: InvitationItem; onRevoke: () => void };

function Open({ invitation, onRevoke }: OpenProps) {
  const { members: text } = useText(settingsText);
  const role = useRoleName()(invitation.role);
  return (
    <li className={styles.invitation}>
      <span>{role}</span>
      <span className={styles.note}>
        {text.used(invitation.uses, invitation.max_uses)} · {text.until}{" "}
        <Ago at={invitation.expires_at} />
      </span>
      <IconButton label={text.revoke(role)} icon={<X size={14} />} onClick={onRevoke} />
    </li>
  );
}
