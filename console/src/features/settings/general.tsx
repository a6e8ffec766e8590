import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Crown, LogOut, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { useDeleteWorkspace, useRestoreWorkspace } from "../../session/deleted";
import { may, useSession, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { CopyButton } from "../../ui/copy/copy-button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ErrorState } from "../../ui/error-state/error-state";
import { Form } from "../../ui/form/form";
import { PageBody } from "../../ui/page/page";
import { Section } from "../../ui/page/section";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import { CaptureSettings } from "./capture";
import { Defaults } from "./defaults";
import { Icon } from "./icon";
import {
  hostsQuery,
  useRemoveMember,
  useSetHosts,
  useUpdateWorkspace,
  workspaceQuery,
} from "./queries";
import { Retention } from "./retention";
import styles from "./settings.module.css";
import { settingsText } from "./text";

const Transfer = lazy(() => import("./transfer"));

type Props = { workspace: Workspace };

/** What a workspace is called and begins with, where its plugins may go, and how it ends. */
export function General({ workspace }: Props) {
  const { general: text } = useText(settingsText);
  const { data, error, refetch } = useQuery(workspaceQuery(workspace.id));
  const canManage = may(workspace, "workspace.write");
  const isTeam = workspace.type === "team";
  const failure = data ? undefined : failureOf(error);
  if (failure) return <ErrorState failure={failure} onRetry={() => void refetch()} />;
  if (data?.id !== workspace.id) return null;
  return (
    <PageBody>
      <div className={styles.column}>
        <Section title={text.workspace}>
          <Icon saved={data} canManage={canManage} />
          <Names id={workspace.id} saved={data} canManage={canManage} />
          <dl className={styles.facts}>
            <dt>{text.kind}</dt>
            <dd>{isTeam ? text.team : text.personal}</dd>
            <dt>{text.id}</dt>
            <dd>
              <code>{workspace.id}</code> <CopyButton kind="quiet" value={workspace.id} />
            </dd>
          </dl>
        </Section>
        <Section title={text.begins}>
          <Defaults key={data.id} saved={data} canManage={canManage} />
        </Section>
        {canManage && (
          <Section title={text.hosts}>
            <Hosts workspaceId={workspace.id} />
          </Section>
        )}
        {canManage && (
          <Section title={text.retention}>
            <Retention workspaceId={workspace.id} />
          </Section>
        )}
        {canManage && (
          <Section title={text.traces}>
            <CaptureSettings workspaceId={workspace.id} />
          </Section>
        )}
        {isTeam && (
          <Section title={text.danger}>
            <Danger workspace={workspace} />
          </Section>
        )}
      </div>
    </PageBody>
  );
}

type NamesProps = {
  id: string;
  saved: { name: string; description: string };
  canManage: boolean;
};

function Names({ id, saved, canManage }: NamesProps) {
  const { general: text } = useText(settingsText);
  const [name, setName] = useState(saved.name);
  const [description, setDescription] = useState(saved.description);
  const { mutate, isPending, error } = useUpdateWorkspace(id);
  const failure = failureOf(error);
  const isChanged = name.trim() !== saved.name || description.trim() !== saved.description;
  return (
    <Form
      isChanged={isChanged}
      isSaving={isPending}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(
          { name: name.trim(), description: description.trim() },
          { onSuccess: () => toast(text.saved) },
        );
      }}
    >
      <TextField
        label={text.name}
        value={name}
        onChange={setName}
        maxLength={50}
        autoComplete="off"
        disabled={!canManage}
        required
      />
      <TextField
        label={text.description}
        hint={text.descriptionHint}
        value={description}
        onChange={setDescription}
        maxLength={500}
        autoComplete="off"
        disabled={!canManage}
      />
      {failure && (
        <ErrorLine failure={failure} labels={{ name: text.name, description: text.description }} />
      )}
      {canManage && (
        <Button type="submit" disabled={!isChanged || !name.trim()} isLoading={isPending}>
          {text.save}
        </Button>
      )}
    </Form>
  );
}

function Hosts({ workspaceId }: { workspaceId: string }) {
  const { general: text } = useText(settingsText);
  const { data, error } = useQuery(hostsQuery(workspaceId));
  const set = useSetHosts(workspaceId);
  const failure = failureOf(set.error ?? error);
  const option = (host: string) => ({ value: host, label: host });
  return (
    <div className={styles.form}>
      <MultiCombobox
        label={text.hostsField}
        hint={text.hostsHint}
        values={(data?.hosts ?? []).map(option)}
        options={[]}
        onCreate={option}
        isDisabled={!data || set.isPending}
        onChange={(next) =>
          set.mutate(
            next.map((each) => each.value),
            { onSuccess: () => toast(text.hostsSaved) },
          )
        }
      />
      {failure && <ErrorLine failure={failure} labels={{ hosts: text.hostsField }} />}
    </div>
  );
}

function Danger({ workspace }: Props) {
  const { general: text } = useText(settingsText);
  const { user } = useSession();
  const navigate = useNavigate();
  const remove = useDeleteWorkspace();
  const restore = useRestoreWorkspace();
  const leave = useRemoveMember(workspace.id);
  const [asked, setAsked] = useState<"leave" | "remove" | "transfer">();
  const away = { onSuccess: () => void navigate({ to: "/" }) };
  return (
    <>
      <div className={styles.action}>
        <Button icon={<LogOut size={16} />} onClick={() => setAsked("leave")}>
          {text.leave}
        </Button>
        <p className={styles.note}>{text.leaveHint}</p>
      </div>
      {workspace.role === "owner" && (
        <div className={styles.action}>
          <Button icon={<Crown size={16} />} onClick={() => setAsked("transfer")}>
            {text.transfer}
          </Button>
          <p className={styles.note}>{text.transferHint}</p>
        </div>
      )}
      {workspace.role === "owner" && (
        <div className={styles.action}>
          <Button icon={<Trash2 size={16} />} onClick={() => setAsked("remove")}>
            {text.remove}
          </Button>
          <p className={styles.note}>{text.removeHint}</p>
        </div>
      )}
      {asked === "transfer" && (
        <Suspense>
          <Transfer workspace={workspace} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
      {asked === "leave" && (
        <ConfirmDelete
          thing={{ user_id: user.id }}
          name={workspace.name}
          words={{
            removeTitle: text.leaveTitle,
            removeVerb: text.leave,
            removeWhy: text.leaveHint,
            removed: text.left,
          }}
          isTyped={false}
          remove={{
            ...leave,
            mutate: (thing, { onSuccess }) => {
              leave.mutate(thing, {
                onSuccess: () => {
                  onSuccess();
                  away.onSuccess();
                },
              });
            },
          }}
          failure={failureOf(leave.error)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === "remove" && (
        <ConfirmDelete
          thing={workspace}
          name={workspace.name}
          words={text}
          isTyped
          remove={{
            ...remove,
            mutate: (thing, { onSuccess }) => {
              remove.mutate(thing, {
                onSuccess: () => {
                  onSuccess();
                  away.onSuccess();
                },
              });
            },
          }}
          failure={failureOf(remove.error)}
          undo={{
            label: text.bringBack,
            run: () =>
              restore.mutate(workspace, {
                onSuccess: () => toast(text.broughtBack(workspace.name)),
              }),
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
