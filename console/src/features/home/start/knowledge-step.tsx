import { BookOpen } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { type Host, type TaughtAgent, useReading, useTeach } from "../../../agent/teach";
import { LessonDrop, LessonFiles, LessonProgress, UnreadFiles } from "../../../agent/teaching";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { homeText } from "../text";
import { sampleHandbook } from "./handbook";
import styles from "./start.module.css";

type Props = {
  workspaceId: string;
  host: Host;
  /** Files are on their way: the next step waits until they are read. */
  onBegin: () => void;
  /** An agent can be asked about its files now. */
  onTaught: (agent: TaughtAgent, hasSample: boolean) => void;
  onSkip: () => void;
};

/** Files that the agent is to know, or a sample of them; the step ends when they are read. */
export function KnowledgeStep({ workspaceId, host, onBegin, onTaught, onSkip }: Props) {
  const words = useText(homeText).start.knowledge;
  const { goOn } = useText(homeText).start;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sampleError, setSampleError] = useState<Error>();
  const { mutate, data: taught, isPending, error, sent } = useTeach(workspaceId);
  const read = useReading(taught?.baseId);
  const isReading = isPending || (taught !== undefined && !read?.isOver);
  const isRead = read?.isOver && read.failed.length === 0;
  const hasSample = files.some((file) => file.name === words.sampleName);
  const failure = failureOf(error ?? sampleError ?? null);
  useEffect(() => {
    if (isRead && taught) onTaught(taught.agent, hasSample);
  }, [isRead, taught, hasSample, onTaught]);
  async function takeSample(): Promise<void> {
    setSampleError(undefined);
    try {
      setFiles([...files, await sampleHandbook(words.sampleName)]);
    } catch (caught) {
      setSampleError(caught instanceof Error ? caught : new Error(String(caught)));
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (files.length === 0) return;
    onBegin();
    mutate({ files, host, base: words.base(host.name) });
  }
  if (isReading) return <LessonProgress sent={sent} read={read} count={files.length} />;
  if (taught && read) {
    return (
      <div className={styles.form}>
        <UnreadFiles failed={read.failed} />
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => onTaught(taught.agent, hasSample)}>
            {goOn}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Form entered={files.length} isSaving={isPending} onSubmit={submit} className={styles.form}>
      <LessonDrop onFiles={(added) => setFiles([...files, ...added])} />
      {!hasSample && (
        <button type="button" className={styles.sample} onClick={() => void takeSample()}>
          <BookOpen size={20} strokeWidth={1.5} />
          <span>
            <span className={styles.name}>{words.sample}</span>
            <span className={styles.about}>{words.sampleWhy}</span>
          </span>
        </button>
      )}
      <LessonFiles files={files} onFiles={setFiles} />
      {failure && <ErrorLine failure={failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={files.length === 0}>
          {words.teach(host.name)}
        </Button>
        <Button kind="quiet" onClick={onSkip}>
          {words.skip}
        </Button>
      </div>
    </Form>
  );
}
