import { LoaderCircle } from "lucide-react";
import { useText } from "../text/catalogue";
import { ErrorWords } from "../ui/error-state/error-line";
import { useTold } from "../ui/error-state/reasons";
import { FileChip } from "../ui/file/file-chip";
import { FileDrop } from "../ui/file/file-drop";
import { StateBadge } from "../ui/state-badge/state-badge";
import type { Read } from "./teach";
import styles from "./teaching.module.css";
import { agentText } from "./text";

/** A place for the files that an agent is to answer from. */
export function LessonDrop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { teaching: text } = useText(agentText);
  return (
    <FileDrop
      label={text.files}
      hint={text.filesHint}
      accept=".pdf,.docx,.pptx,.md,.txt,.html"
      onFiles={onFiles}
    />
  );
}

type ChosenProps = { files: readonly File[]; onFiles: (files: readonly File[]) => void };

/** The files that were chosen, each to be taken off again. */
export function LessonFiles({ files, onFiles }: ChosenProps) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size}`}>
          <FileChip
            name={file.name}
            bytes={file.size}
            onRemove={() => onFiles(files.filter((each) => each !== file))}
          />
        </li>
      ))}
    </ul>
  );
}

type ReadingProps = {
  /** The part of the files that has arrived, from 0 to 1. */
  sent: number;
  read: Read | undefined;
  count: number;
};

/** How far files are: on their way, then read one by one. */
export function LessonProgress({ sent, read, count }: ReadingProps) {
  const { teaching: text } = useText(agentText);
  const isSent = sent >= 1;
  const words = isSent
    ? text.reading(read?.done ?? 0, count)
    : text.sending(Math.floor(sent * 100));
  const value = isSent ? (read?.done ?? 0) / Math.max(count, 1) : sent;
  return (
    <div role="status" className={styles.reading}>
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {words}
      </StateBadge>
      <progress
        max={1}
        {...(value > 0 && { value })}
        aria-label={words}
        className={styles.progress}
      />
    </div>
  );
}

/** Files that could not be read, and why. */
export function UnreadFiles({ failed }: { failed: Read["failed"] }) {
  const { teaching: text } = useText(agentText);
  const told = useTold();
  return failed.map(({ name, code, reason }) => (
    <ErrorWords key={name}>{text.unread(name, told(code, reason))}</ErrorWords>
  ));
}
