import { Link } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { useMakeBase } from "../../agent/teach";
import { LessonDrop, LessonFiles, LessonProgress } from "../../agent/teaching";
import { agentText } from "../../agent/text";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./new-base.module.css";
import { workbenchText } from "./text";

export type MadeBase = { id: string; name: string; files: number };

type Props = { workspaceId: string; onMade: (base: MadeBase) => void; onClose: () => void };

const NAME_LENGTH = 50;

/** A base of files for the agent that is open, which stays where it is. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewBase({ workspaceId, onMade, onClose }: Props) {
  const words = useText(workbenchText);
  const text = words.knowledge.making;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(agentText);
  const form = useId();
  const [name, setName] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const { mutate, isPending, error, sent } = useMakeBase(workspaceId);
  const failure = failureOf(error);
  function choose(next: readonly File[]): void {
    setFiles(next);
    const [first] = next;
    if (first && !name) setName(first.name.replace(/\.[^.]+$/, "").slice(0, NAME_LENGTH));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    const base = name.trim();
    mutate(
      { files, base },
      { onSuccess: ({ baseId }) => onMade({ id: baseId, name: base, files: files.length }) },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{words.publishing.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim() || files.length === 0}
            isLoading={isPending}
          >
            {text.verb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, files.length]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        {!isPending && (
          <>
            <LessonDrop onFiles={(added) => choose([...files, ...added])} />
            <LessonFiles files={files} onFiles={choose} />
          </>
        )}
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          autoComplete="off"
          maxLength={NAME_LENGTH}
          required
        />
        {isPending && <LessonProgress sent={sent} read={undefined} count={files.length} />}
        {failure && <ErrorLine failure={failure} labels={{ name: text.name }} />}
        <p className={styles.note}>
          {text.others}{" "}
          <Link to="/w/$workspaceId/knowledge" params={{ workspaceId }}>
            {text.toKnowledge}
          </Link>
        </p>
      </Form>
    </Dialog>
  );
}
