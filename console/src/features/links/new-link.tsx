import { type FormEvent, useCallback, useId, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { Segmented } from "../../ui/segmented/segmented";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./links.module.css";
import { findTargets, type Kind, useAgent, useCreateLink } from "./queries";
import { linksText } from "./text";

/** What a link is like until somebody sets it. */
const USUAL = {
  welcome: "",
  theme: "system",
  accent: "",
  language: "",
  footer: "",
  closed_text: "",
  allows_files: false,
  keeps_history: true,
  takes_feedback: true,
  shows_citations: false,
  shows_steps: false,
  runs_per_min: 0,
} as const;

const SHORTEST = 4;
const LONGEST_NAME = 50;

type Props = {
  workspaceId: string;
  /** What it is to lead to, if that is known. */
  agentId: string | undefined;
  onMade: (linkId: string) => void;
  onClose: () => void;
};

/** A link to make: to what, under which name, and who gets in. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewLink({ workspaceId, agentId, onMade, onClose }: Props) {
  const text = useText(linksText);
  const { cancel } = useText(uiText);
  const [kind, setKind] = useState<Kind>("agent");
  const agent = useAgent(agentId);
  const [chosen, setTarget] = useState<ComboboxOption | "none">();
  const target =
    chosen === "none" ? undefined : (chosen ?? (agent && { value: agent.id, label: agent.name }));
  const [named, setName] = useState<string>();
  const name = named ?? agent?.name ?? "";
  const [hasPassword, setHasPassword] = useState(false);
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useCreateLink(workspaceId);
  const failure = failureOf(error);
  const form = useId();
  const { unpublished } = text.states;
  const find = useCallback(
    async (q: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
      const found = await findTargets(workspaceId, kind, q, signal);
      return found.map((each) => ({
        value: each.id,
        label: each.name,
        note: each.isPublished ? undefined : unpublished,
        isDisabled: !each.isPublished,
      }));
    },
    [workspaceId, kind, unpublished],
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!target) return;
    mutate(
      {
        target_type: kind,
        target_id: target.value,
        settings: { ...USUAL, name: name.trim() },
        ...(hasPassword && { auth: "password", password }),
      },
      { onSuccess: ({ id }) => onMade(id) },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!target || !name.trim() || (hasPassword && password.length < SHORTEST)}
            isLoading={isPending}
          >
            {text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[kind, chosen, named, hasPassword, password]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <Segmented
          label={text.what}
          value={kind}
          options={[
            { value: "agent", label: text.kinds.agent },
            { value: "workflow", label: text.kinds.workflow },
          ]}
          onChange={(next) => {
            setKind(next);
            setTarget("none");
          }}
        />
        <Combobox
          label={text.which}
          hint={text.whichHint}
          value={target}
          options={find}
          onChange={(option) => {
            setTarget(option ?? "none");
            if (option && !name) setName(option.label.slice(0, LONGEST_NAME));
          }}
          isRequired
        />
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          required
        />
        <RadioCards
          label={text.columns.access}
          columns={2}
          value={hasPassword ? "password" : "none"}
          options={(["none", "password"] as const).map((value) => ({
            value,
            label: text.auth[value],
            note: text.authMay[value],
          }))}
          onChange={(value) => setHasPassword(value === "password")}
        />
        {hasPassword && (
          <TextField
            label={text.password}
            hint={text.passwordHint}
            value={password}
            onChange={setPassword}
            maxLength={256}
            autoComplete="off"
            required
          />
        )}
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              target_type: text.what,
              target_id: text.which,
              name: text.name,
              "settings.name": text.name,
              auth: text.columns.access,
              password: text.password,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}
