import { BookOpen, LoaderCircle } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { useTold } from "../../../ui/error-state/reasons";
import { FileChip } from "../../../ui/file/file-chip";
import { FileDrop } from "../../../ui/file/file-drop";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import { homeText } from "../text";
import { sampleHandbook } from "./handbook";
import { type Chosen, type Host, type Read, useReading, useTeach } from "./queries";
import styles from "./start.module.css";

type Props = {
  workspaceId: string;
  host: Host;
  /** Files are on their way: the next step waits until they are read. */
  onBegin: () => void;
  /** An agent can be asked about its files now. */
  onTaught: (agent: Chosen, hasSample: boolean) => void;
  onSkip: () => void;
};

/** Files that the agent is to know, or a sample of them; the step ends when they are read. */
export function KnowledgeStep({ workspaceId, host, onBegin, onTaught, onSkip }: Props) {
  const words = useText(homeText).start.knowledge;
  const { goOn } = useText(homeText).start;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sampleError, setSampleError] = useState<Error>();
  // The same for every attempt with these files: what did arrive is not stored twice.
  const told = useTold();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { mutate, data: taught, isPending, error } = useTeach(workspaceId);
  const read = useReading(taught?.baseId);
  const isReading = isPending || (taught !== undefined && !read?.isOver);
  const isRead = read?.isOver && read.failed.length === 0;
  const hasSample = files.some((file) => file.name === words.sampleName);
  const failure = failureOf(error ?? sampleError ?? null);
  useEffect(() => {
    if (isRead && taught) onTaught(taught.agent, hasSample);
  }, [isRead, taught, hasSample, onTaught]);
  function choose(next: readonly File[]): void {
    setFiles(next);
    setKey(crypto.randomUUID());
  }
  async function takeSample(): Promise<void> {
    setSampleError(undefined);
    try {
      choose([...files, await sampleHandbook(words.sampleName)]);
    } catch (caught) {
      setSampleError(caught instanceof Error ? caught : new Error(String(caught)));
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (files.length === 0) return;
    onBegin();
    mutate({ files, host, base: words.base(host.name), key });
  }
  if (isReading) return <Reading read={read} count={files.length} />;
  if (taught && read) {
    return (
      <div className={styles.form}>
        {read.failed.map(({ name, code, reason }) => (
          <ErrorLine key={name} failure={{ message: words.unread(name, told(code, reason)) }} />
        ))}
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => onTaught(taught.agent, hasSample)}>
            {goOn}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <FileDrop
        label={words.files}
        hint={words.filesHint}
        accept=".pdf,.docx,.pptx,.md,.txt,.html"
        onFiles={(added) => choose([...files, ...added])}
      />
      {!hasSample && (
        <button type="button" className={styles.sample} onClick={() => void takeSample()}>
          <BookOpen size={20} strokeWidth={1.5} />
          <span>
            <span className={styles.name}>{words.sample}</span>
            <span className={styles.about}>{words.sampleWhy}</span>
          </span>
        </button>
      )}
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size}`}>
              <FileChip
                name={file.name}
                bytes={file.size}
                onRemove={() => choose(files.filter((each) => each !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      {failure && <ErrorLine failure={failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={files.length === 0}>
          {words.teach(host.name)}
        </Button>
        <Button kind="quiet" onClick={onSkip}>
          {words.skip}
        </Button>
      </div>
    </form>
  );
}

/** How far the reading is. */
function Reading({ read, count }: { read: Read | undefined; count: number }) {
  const words = useText(homeText).start.knowledge;
  return (
    <div role="status" className={styles.reading}>
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {words.reading(read?.done ?? 0, count)}
      </StateBadge>
      <progress
        max={count}
        {...(read && read.done > 0 && { value: read.done })}
        aria-label={words.reading(read?.done ?? 0, count)}
        className={styles.progress}
      />
    </div>
  );
}
