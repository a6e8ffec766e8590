import { FlaskConical } from "lucide-react";
import { type FormEvent, lazy, Suspense, useEffect, useId, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { newIn, Recovery, useKept } from "../../session/recovery";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { variablesIn } from "../../text/prompt-variables";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import styles from "./prompt-dialog.module.css";
import { type Prompt, type PromptBody, useSavePrompt } from "./queries";
import { promptsText } from "./text";

const Recovered = lazy(() => import("./recovered"));
const TrialPane = lazy(() => import("./trial-pane"));

type Props = { workspaceId: string; prompt: Prompt | undefined; onClose: () => void };

/** A prompt with its name: a new one, or one of the library. */
export function PromptDialog({ workspaceId, prompt, onClose }: Props) {
  const text = useText(promptsText);
  const { cancel } = useText(uiText);
  const { mutate, isPending, error } = useSavePrompt(workspaceId, prompt);
  const [first] = useState<PromptBody>(() => ({
    name: prompt?.name ?? "",
    description: prompt?.description ?? "",
    prompt_text: prompt?.prompt_text ?? "",
    tags: prompt?.tags ?? [],
  }));
  const [body, setBody] = useState(first);
  const [tags, setTags] = useState(formatTags(body.tags));
  const [isTried, setTried] = useState(false);
  const form = useId();
  const userId = useSession().user.id;
  const id = prompt?.id ?? newIn(workspaceId);
  const recovery = useMemo(
    () => new Recovery<PromptBody>({ userId, type: "prompt", id }),
    [userId, id],
  );
  const isChanged = isDifferent(body, first);
  const { kept, settle, putOff } = useKept(recovery, true, (typed) => isDifferent(typed, first));
  useEffect(() => {
    if (isChanged) recovery.keep(() => body);
    else recovery.drop();
  }, [recovery, isChanged, body]);
  useEffect(
    () => () => {
      recovery.drop();
      recovery.close();
    },
    [recovery],
  );
  const failure = failureOf(error);
  const variables = variablesIn(body.prompt_text);
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(body, {
      onSuccess: () => {
        if (!prompt) toast(text.created(body.name));
        onClose();
      },
    });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={prompt ? text.editTitle : text.create}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!body.name.trim() || !body.prompt_text.trim()}
            isLoading={isPending}
          >
            {prompt ? text.save : text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        isChanged={isChanged}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={text.fields.name}
          value={body.name}
          onChange={(name) => setBody({ ...body, name })}
          autoComplete="off"
          maxLength={50}
          required
          autoFocus
        />
        <TextField
          label={text.fields.description}
          value={body.description}
          onChange={(description) => setBody({ ...body, description })}
          autoComplete="off"
          maxLength={500}
        />
        <TextArea
          label={text.fields.text}
          hint={variables.length > 0 ? text.variables(formatNames(variables)) : text.variablesHint}
          value={body.prompt_text}
          onChange={(prompt_text) => setBody({ ...body, prompt_text })}
          rows={10}
          required
        />
        <TextField
          label={text.fields.tags}
          hint={text.tagsHint}
          value={tags}
          onChange={(typed) => {
            setTags(typed);
            setBody({ ...body, tags: readTags(typed) });
          }}
          autoComplete="off"
        />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: text.fields.name,
              description: text.fields.description,
              prompt_text: text.fields.text,
              tags: text.fields.tags,
            }}
          />
        )}
      </Form>
      <div className={styles.trial}>
        <Button
          kind="quiet"
          size="compact"
          icon={<FlaskConical size={14} />}
          aria-expanded={isTried}
          onClick={() => setTried(!isTried)}
        >
          {isTried ? text.trial.hide : text.trial.show}
        </Button>
        <Suspense>
          {isTried && (
            <TrialPane workspaceId={workspaceId} prompt={body.prompt_text} variables={variables} />
          )}
        </Suspense>
      </div>
      <Suspense>
        {kept && (
          <Recovered
            kept={kept}
            now={body}
            onTake={() => {
              setBody(kept.changes);
              setTags(formatTags(kept.changes.tags));
              settle();
            }}
            onDrop={settle}
            onLater={putOff}
          />
        )}
      </Suspense>
    </Dialog>
  );
}

function isDifferent(one: PromptBody, other: PromptBody): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function formatTags(tags: readonly string[]): string {
  return tags.join(", ");
}

/** Commas of either language divide them. */
function readTags(typed: string): string[] {
  return typed
    .split(/[,，、]/)
    .map((each) => each.trim())
    .filter(Boolean);
}
