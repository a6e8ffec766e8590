import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import type { AdminRole } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import styles from "./role-dialog.module.css";
import { roleText } from "./role-text";

type Props = { workflowId: string; onClose: () => void };

const MODES = ["default", "custom", "off"] as const;

/** How a chat flow presents itself to the people who talk to it. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function RoleDialog({ workflowId, onClose }: Props) {
  const text = useText(roleText);
  const queries = useQueryClient();
  const params = { path: { workflow_id: workflowId } };
  const queryKey = ["admin.workflows.get_role", workflowId];
  const kept = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workflows/{workflow_id}/role", { params, signal })),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const [edited, setEdited] = useState<AdminRole>();
  const role = edited ?? kept.data;
  const save = useMutation({
    // What this dialog does not show, such as the voice, stays as it is.
    mutationFn: ({ avatar_url: _, ...body }: AdminRole) => {
      const asked = body.onboarding.suggested_questions.map((each) => each.trim());
      const onboarding = { ...body.onboarding, suggested_questions: asked.filter(Boolean) };
      return unwrap(
        client.PUT("/admin/v1/workflows/{workflow_id}/role", {
          params,
          body: { ...body, onboarding },
        }),
      );
    },
    onSuccess: (next) => {
      queries.setQueryData(queryKey, next);
      toast(text.saved);
      onClose();
    },
  });
  const failure = failureOf(save.error ?? kept.error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            isLoading={save.isPending}
            disabled={!role}
            onClick={() => role && save.mutate(role)}
          >
            {text.save}
          </Button>
        </>
      }
    >
      {role && <RoleFields role={role} onChange={setEdited} />}
      {failure && <ErrorLine failure={failure} />}
    </Dialog>
  );
}

type FieldsProps = { role: AdminRole; onChange: (role: AdminRole) => void };

function RoleFields({ role, onChange }: FieldsProps) {
  const text = useText(roleText);
  const { onboarding, suggest_reply: after } = role;
  return (
    <div className={styles.fields}>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={role.name}
        onChange={(name) => onChange({ ...role, name })}
      />
      <TextArea
        label={text.description}
        isShort
        value={role.description}
        onChange={(description) => onChange({ ...role, description })}
      />
      <TextArea
        label={text.welcome}
        isShort
        value={onboarding.prologue}
        onChange={(prologue) => onChange({ ...role, onboarding: { ...onboarding, prologue } })}
      />
      <TextArea
        label={text.questions}
        hint={text.questionsHint}
        isShort
        value={onboarding.suggested_questions.join("\n")}
        onChange={(lines) =>
          onChange({
            ...role,
            onboarding: { ...onboarding, suggested_questions: lines.split("\n") },
          })
        }
      />
      <Switch
        label={text.showsAll}
        hint={text.showsAllHint}
        isOn={onboarding.display_all_suggestions}
        onChange={(isOn) =>
          onChange({ ...role, onboarding: { ...onboarding, display_all_suggestions: isOn } })
        }
      />
      <Select
        label={text.suggestions}
        value={after.mode}
        options={MODES.map((value) => ({ value, label: text.modes[value] }))}
        onChange={(mode) => onChange({ ...role, suggest_reply: { ...after, mode } })}
      />
      {after.mode === "custom" && (
        <TextArea
          label={text.prompt}
          isShort
          value={after.prompt}
          onChange={(prompt) => onChange({ ...role, suggest_reply: { ...after, prompt } })}
        />
      )}
    </div>
  );
}
