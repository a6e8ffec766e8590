import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { placeOf } from "../../../directory/place";
import { EntrySign } from "../../../directory/sign";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { NumberField } from "../../../ui/number/number-field";
import { Section } from "../../../ui/page/section";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { type Plugin, useDeletePlugin } from "../queries";
import styles from "./forms.module.css";
import { callersQuery, usersQuery, useUpdatePlugin } from "./queries";
import { pluginText } from "./text";

const TRANSPORTS = ["auto", "streamable_http", "sse"] as const;

type Props = { workspaceId: string; plugin: Plugin; canWrite: boolean };

/** What a plugin is called, where its service is, and its end. */
export function SettingsTab({ workspaceId, plugin, canWrite }: Props) {
  const { settings: text } = useText(pluginText);
  return (
    <>
      <Section title={text.general}>
        <General plugin={plugin} canWrite={canWrite} />
      </Section>
      {plugin.mcp && (
        <Section title={text.server}>
          <Server plugin={plugin} mcp={plugin.mcp} canWrite={canWrite} />
        </Section>
      )}
      <Section title={text.used}>
        <Users workspaceId={workspaceId} plugin={plugin} />
      </Section>
      {canWrite && (
        <Section title={text.remove} note={text.removeWhy}>
          <Remove workspaceId={workspaceId} plugin={plugin} />
        </Section>
      )}
    </>
  );
}

function Users({ workspaceId, plugin }: { workspaceId: string; plugin: Plugin }) {
  const { settings: text } = useText(pluginText);
  const seesWorkflows = may(useWorkspace(workspaceId), "workflow.read");
  const { data: agents } = useQuery(usersQuery(workspaceId, plugin.id));
  const { data: workflows } = useQuery({
    ...callersQuery(workspaceId, plugin.id),
    enabled: seesWorkflows,
  });
  if (!agents || (seesWorkflows && !workflows)) return null;
  const here = { parent_id: "" };
  const users = [
    ...agents.items.map(({ id, name }) => ({ type: "agent" as const, id, name, ...here })),
    ...(workflows?.items ?? []).map(({ id, name }) => ({
      type: "workflow" as const,
      id,
      name,
      ...here,
    })),
  ];
  if (users.length === 0) {
    return <p className={styles.note}>{seesWorkflows ? text.usedByNobody : text.usedByNoAgent}</p>;
  }
  return (
    <ul className={styles.users}>
      {users.map((user) => (
        <li key={`${user.type} ${user.id}`} className={styles.user}>
          <span role="img" aria-label={text[user.type]}>
            <EntrySign type={user.type} size={14} />
          </span>
          <Link {...placeOf(workspaceId, user)} className={styles.link}>
            {user.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function General({ plugin, canWrite }: { plugin: Plugin; canWrite: boolean }) {
  const { settings: text } = useText(pluginText);
  const [name, setName] = useState(plugin.name);
  const [description, setDescription] = useState(plugin.description);
  const [address, setAddress] = useState(plugin.server_url);
  const save = useUpdatePlugin(plugin.id);
  const failure = failureOf(save.error);
  const isMoved = address.trim() !== plugin.server_url;
  const isCalled = plugin.type === "http" || (plugin.type === "mcp" && !plugin.mcp?.program);
  const isChanged = isMoved || name !== plugin.name || description !== plugin.description;
  function submit(event: FormEvent): void {
    event.preventDefault();
    const where = isMoved ? { server_url: address.trim() } : {};
    save.mutate(
      { name: name.trim(), description: description.trim(), ...where },
      { onSuccess: () => toast(text.saved) },
    );
  }
  return (
    <>
      <Form
        isChanged={isChanged}
        isSaving={save.isPending}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          maxLength={50}
          autoComplete="off"
          disabled={!canWrite}
          required
        />
        <TextField
          label={text.description}
          value={description}
          onChange={setDescription}
          maxLength={2000}
          autoComplete="off"
          disabled={!canWrite}
        />
        {isCalled && (
          <TextField
            label={text.address}
            {...(isMoved ? { hint: text.addressHint } : {})}
            type="url"
            value={address}
            onChange={setAddress}
            autoComplete="off"
            disabled={!canWrite}
          />
        )}
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{ name: text.name, description: text.description, server_url: text.address }}
          />
        )}
        {canWrite && (
          <div>
            <Button type="submit" disabled={!isChanged || !name.trim()} isLoading={save.isPending}>
              {text.save}
            </Button>
          </div>
        )}
      </Form>
      <Switch
        label={text.identity}
        hint={text.identityHint}
        isOn={plugin.sends_identity}
        isDisabled={!canWrite || save.isPending}
        onChange={(sends_identity) => save.mutate({ sends_identity })}
      />
    </>
  );
}

type ServerProps = { plugin: Plugin; mcp: NonNullable<Plugin["mcp"]>; canWrite: boolean };

function Server({ plugin, mcp, canWrite }: ServerProps) {
  const { settings: text } = useText(pluginText);
  const save = useUpdatePlugin(plugin.id);
  const [seconds, setSeconds] = useState<number | undefined>(mcp.call_timeout_s || undefined);
  const [transport, setTransport] = useState(mcp.transport ?? "auto");
  const isChanged =
    (seconds ?? 0) !== (mcp.call_timeout_s ?? 0) || transport !== (mcp.transport ?? "auto");
  const failure = failureOf(save.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(
      { mcp: { ...mcp, transport, call_timeout_s: seconds ?? 0 } },
      { onSuccess: () => toast(text.saved) },
    );
  }
  return (
    <Form isChanged={isChanged} isSaving={save.isPending} onSubmit={submit} className={styles.form}>
      {mcp.program ? (
        <p>{text.program(mcp.program)}</p>
      ) : (
        <Select
          label={text.transport}
          value={transport}
          options={TRANSPORTS.map((value) => ({ value, label: text.transports[value] }))}
          onChange={setTransport}
          isDisabled={!canWrite}
        />
      )}
      <NumberField
        label={text.silence}
        hint={text.silenceHint}
        value={seconds}
        onChange={setSeconds}
        min={1}
        max={3600}
        unit="s"
        isDisabled={!canWrite}
      />
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{ "mcp.call_timeout_s": text.silence, "mcp.transport": text.transport }}
        />
      )}
      {canWrite && (
        <div>
          <Button type="submit" disabled={!isChanged} isLoading={save.isPending}>
            {text.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

function Remove({ workspaceId, plugin }: { workspaceId: string; plugin: Plugin }) {
  const { settings: text } = useText(pluginText);
  const go = useNavigate();
  const remove = useDeletePlugin();
  const [isDoomed, setDoomed] = useState(false);
  return (
    <div>
      <Button icon={<Trash2 size={16} />} onClick={() => setDoomed(true)}>
        {text.removeVerb}
      </Button>
      {isDoomed && (
        <ConfirmDelete
          thing={plugin}
          name={plugin.name}
          words={text}
          isTyped={plugin.status === "published"}
          remove={{
            ...remove,
            mutate: (thing, options) =>
              remove.mutate(thing, {
                onSuccess: () => {
                  options.onSuccess();
                  void go({ to: "/w/$workspaceId/plugins", params: { workspaceId } });
                },
              }),
          }}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(false)}
        />
      )}
    </div>
  );
}
