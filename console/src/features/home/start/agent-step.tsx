import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { FileChip } from "../../../ui/file/file-chip";
import { FileDrop } from "../../../ui/file/file-drop";
import { TextArea } from "../../../ui/text-field/text-area";
import { TextField } from "../../../ui/text-field/text-field";
import { homeText } from "../text";
import { type Chosen, useMakeAgent } from "./queries";
import styles from "./start.module.css";

type Props = {
  workspaceId: string;
  existing: Chosen | undefined;
  onChoose: (agent: Chosen) => void;
};

/** An agent of one's own, with files that it knows, or the one that is there. */
export function AgentStep({ workspaceId, existing, onChoose }: Props) {
  const text = useText(homeText).start;
  const words = text.agent;
  const [name, setName] = useState("");
  const [persona, setPersona] = useState(words.firstPersona);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { mutate, isPending, error } = useMakeAgent(workspaceId);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const named = name.trim();
    if (!named) return;
    mutate(
      { name: named, persona, base: words.base(named), files },
      { onSuccess: (agent) => onChoose({ id: agent.id, name: agent.name }) },
    );
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        required
      />
      <TextArea
        label={words.persona}
        value={persona}
        onChange={setPersona}
        hint={words.personaHint}
        isShort
      />
      <FileDrop
        label={words.files}
        hint={words.filesHint}
        accept=".pdf,.docx,.md,.txt,.html"
        onFiles={(added) => setFiles([...files, ...added])}
      />
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size}`}>
              <FileChip
                name={file.name}
                bytes={file.size}
                onRemove={() => setFiles(files.filter((each) => each !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      {error && <ErrorLine failure={failureOf(error) ?? error} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isLoading={isPending} disabled={!name.trim()}>
          {words.create}
        </Button>
        {existing && (
          <Button kind="quiet" onClick={() => onChoose(existing)}>
            {words.use(existing.name)}
          </Button>
        )}
      </div>
    </form>
  );
}
