import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Eraser, Trash2 } from "lucide-react";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Section } from "../../../ui/page/section";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { type DatabaseRow, useDeleteDatabase } from "../queries";
import { useResetDraft, usersQuery, useUpdateTable } from "./queries";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const Confirm = lazy(() => import("../../../ui/confirm/confirm"));
const MODES = ["1", "3", "2"] as const;

type Props = { workspaceId: string; table: DatabaseRow; canWrite: boolean };

/** What a table is called, whose rows are whose, who uses it, and its end. */
export function SettingsTab({ workspaceId, table, canWrite }: Props) {
  const { settings: text } = useText(tableText);
  const { data: users } = useQuery(usersQuery(table.id));
  return (
    <>
      <Section title={text.general}>
        <General key={table.revision} table={table} canWrite={canWrite} />
      </Section>
      <Section title={text.used}>
        {users?.items.length === 0 && <p className={styles.note}>{text.usedByNobody}</p>}
        <ul>
          {users?.items.map((agent) => (
            <li key={agent.agent_id}>
              <Link
                to="/w/$workspaceId/agents/$agentId"
                params={{ workspaceId, agentId: agent.agent_id }}
                className={styles.link}
              >
                {agent.name}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      {canWrite && (
        <Section title={text.more}>
          <More workspaceId={workspaceId} table={table} />
        </Section>
      )}
    </>
  );
}

function General({ table, canWrite }: { table: DatabaseRow; canWrite: boolean }) {
  const { settings: text, modes, mode: modeLabel, modeHints } = useText(tableText);
  const [name, setName] = useState(table.table_name);
  const [description, setDescription] = useState(table.table_desc);
  const [mode, setMode] = useState(MODES.find((each) => each === String(table.rw_mode)) ?? "1");
  const save = useUpdateTable(table.id);
  const failure = failureOf(save.error);
  const isChanged =
    name.trim() !== table.table_name ||
    description.trim() !== table.table_desc ||
    Number(mode) !== table.rw_mode;
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(
      { table_name: name.trim(), table_desc: description.trim(), rw_mode: Number(mode) },
      { onSuccess: () => toast(text.saved) },
    );
  }
  return (
    <Form isChanged={isChanged} isSaving={save.isPending} onSubmit={submit} className={styles.form}>
      <TextField
        label={text.name}
        value={name}
        onChange={setName}
        maxLength={64}
        autoComplete="off"
        disabled={!canWrite}
        required
      />
      <TextField
        label={text.description}
        hint={text.descriptionHint}
        value={description}
        onChange={setDescription}
        autoComplete="off"
        disabled={!canWrite}
      />
      <Select
        label={modeLabel}
        hint={modeHints[mode]}
        value={mode}
        options={MODES.map((value) => ({ value, label: modes[value] }))}
        onChange={setMode}
        isDisabled={!canWrite}
      />
      <Switch
        label={text.told}
        hint={text.toldHint}
        isOn={!table.prompt_disabled}
        isDisabled={!canWrite || save.isPending}
        onChange={(isTold) => save.mutate({ prompt_disabled: !isTold })}
      />
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            table_name: text.name,
            name: text.name,
            table_desc: text.description,
            description: text.description,
            rw_mode: modeLabel,
          }}
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
  );
}

function More({ workspaceId, table }: { workspaceId: string; table: DatabaseRow }) {
  const { settings: text } = useText(tableText);
  const go = useNavigate();
  const reset = useResetDraft(table.id);
  const remove = useDeleteDatabase();
  const [asked, setAsked] = useState<"reset" | "delete">();
  return (
    <div className={styles.line}>
      <Button icon={<Eraser size={16} />} onClick={() => setAsked("reset")}>
        {text.reset}
      </Button>
      <Button icon={<Trash2 size={16} />} onClick={() => setAsked("delete")}>
        {text.removeVerb}
      </Button>
      <Suspense>
        {asked === "reset" && (
          <Confirm
            isOpen
            title={text.resetTitle}
            verb={text.reset}
            isPending={reset.isPending}
            failure={failureOf(reset.error)}
            onClose={() => setAsked(undefined)}
            onConfirm={() =>
              reset.mutate(undefined, {
                onSuccess: () => {
                  toast(text.resetDone);
                  setAsked(undefined);
                },
              })
            }
          >
            {text.resetWhy}
          </Confirm>
        )}
      </Suspense>
      {asked === "delete" && (
        <ConfirmDelete
          thing={table}
          name={table.table_name}
          words={text}
          isTyped
          remove={{
            ...remove,
            mutate: (thing, options) =>
              remove.mutate(thing, {
                onSuccess: () => {
                  options.onSuccess();
                  void go({ to: "/w/$workspaceId/databases", params: { workspaceId } });
                },
              }),
          }}
          failure={failureOf(remove.error)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
