import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from "react";
import { useText } from "../text/catalogue";
import { IconButton } from "../ui/button/icon-button";
import { classes } from "../ui/classes";
import { useTold } from "../ui/error-state/reasons";
import { FileChip } from "../ui/file/file-chip";
import type { Attached } from "./client";
import styles from "./composer.module.css";
import { chatText } from "./text";

type Waiting = { key: number; file: File; attached?: Attached; error?: string };

/** Where a question that is not sent yet waits. */
type Kept = { id: string; text: () => string; keep: (text: string) => void };

type Props = {
  isRunning: boolean;
  isDisabled?: boolean | undefined;
  onSend: (text: string, files: readonly Attached[]) => void;
  onStop: () => void;
  /** Absent where no files are taken. */
  onUpload: ((file: File) => Promise<Attached>) | undefined;
  /** Asked for by the arrow up in an empty field. */
  onEditLast: () => void;
  field?: Ref<HTMLTextAreaElement> | undefined;
  /** What was being written here before, and where it is kept. */
  kept?: Kept | undefined;
  /** Below the field: what holds for this conversation. */
  children?: ReactNode;
};

/** Where questions are written; Enter sends, but never while a word is being composed. */
export function Composer(props: Props) {
  const { isRunning, isDisabled, onSend, onStop, onUpload, onEditLast } = props;
  const { field, kept, children } = props;
  const text = useText(chatText);
  const told = useTold();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const count = useRef(0);
  const [value, setShown] = useState(() => kept?.text() ?? "");
  const [shownOf, setShownOf] = useState(kept?.id);
  if (kept && kept.id !== shownOf) {
    setShownOf(kept.id);
    setShown(kept.text());
  }
  const setValue = (next: string) => {
    setShown(next);
    kept?.keep(next);
  };
  const [files, setFiles] = useState<readonly Waiting[]>([]);
  const isUploading = files.some((each) => !each.attached && !each.error);
  const ready = files.flatMap((each) => (each.attached ? [each.attached] : []));
  const canSend = !isRunning && !isDisabled && !isUploading && (value.trim() || ready.length > 0);
  function send(): void {
    if (!canSend) return;
    onSend(value.trim(), ready);
    setValue("");
    setFiles([]);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowUp" && !value) onEditLast();
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) send();
    else return;
    event.preventDefault();
  }
  function take(list: FileList | null): void {
    if (onUpload) for (const file of list ?? []) void upload(file, onUpload);
  }
  async function upload(file: File, send: (file: File) => Promise<Attached>): Promise<void> {
    count.current += 1;
    const key = count.current;
    const change = (more: Partial<Waiting>) =>
      setFiles((old) => old.map((each) => (each.key === key ? { ...each, ...more } : each)));
    setFiles((old) => [...old, { key, file }]);
    try {
      change({ attached: await send(file) });
    } catch (error) {
      change({ error: error instanceof Error ? error.message : String(error) });
    }
  }
  const isBare = !onUpload && !children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen by the button too
    <div
      className={classes(styles.composer, isBare && styles.bare)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files);
      }}
    >
      {files.length > 0 && (
        <div className={styles.files}>
          {files.map((each) => (
            <FileChip
              key={each.key}
              name={each.file.name}
              bytes={each.file.size}
              progress={each.attached || each.error ? undefined : 0.5}
              error={each.error && told("", each.error)}
              onRemove={() => setFiles((old) => old.filter((other) => other.key !== each.key))}
            />
          ))}
        </div>
      )}
      <label htmlFor={id} className={styles.label}>
        {text.message}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={1}
        value={value}
        placeholder={text.ask}
        className={styles.field}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event.clipboardData.files)}
      />
      <div className={styles.line}>
        {onUpload && (
          <>
            <IconButton
              size="compact"
              label={text.attach}
              icon={<Paperclip size={16} />}
              onClick={() => picker.current?.click()}
            />
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                take(event.target.files);
                event.target.value = "";
              }}
            />
          </>
        )}
        {!isBare && <div className={styles.settings}>{children}</div>}
        {isRunning ? (
          <button type="button" aria-label={text.stop} className={styles.send} onClick={onStop}>
            <Square size={12} fill="currentColor" />
          </button>
        ) : (
          <button
            type="button"
            aria-label={text.send}
            disabled={!canSend}
            className={styles.send}
            onClick={send}
          >
            <ArrowUp size={16} />
          </button>
        )}
      </div>
    </div>
  );
}
