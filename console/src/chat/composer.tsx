import { ArrowUp, Paperclip, Square } from "lucide-react";
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useId,
  useRef,
  useState,
} from "react";
import { useText } from "../text/catalogue";
import { IconButton } from "../ui/button/icon-button";
import { classes } from "../ui/classes";
import { useTold } from "../ui/error-state/reasons";
import { FileChip } from "../ui/file/file-chip";
import unseen from "../ui/unseen.module.css";
import { useAttaching } from "./attaching";
import type { Attached, Upload } from "./client";
import styles from "./composer.module.css";
import { ShortcutChips, ShortcutList } from "./shortcut-list";
import { type Chosen, chosenOf, type Filled, found, questionOf, type Shortcut } from "./shortcuts";
import { chatText } from "./text";

const ShortcutForm = lazy(async () => ({
  default: (await import("./shortcut-form")).ShortcutForm,
}));

/** Which keys send; the other one begins a line. */
export type SendKeys = "enter" | "mod-enter";

/** Where a question that is not sent yet waits. */
type Kept = { id: string; text: () => string; keep: (text: string) => void };

type Props = {
  isRunning: boolean;
  isDisabled?: boolean | undefined;
  onSend: (text: string, files: readonly Attached[], chosen?: Chosen) => void;
  onStop: () => void;
  /** Absent where no files are taken. */
  onUpload: Upload | undefined;
  /** Asked for by the arrow up in an empty field. */
  onEditLast: () => void;
  field?: Ref<HTMLTextAreaElement> | undefined;
  /** What was being written here before, and where it is kept. */
  kept?: Kept | undefined;
  shortcuts?: readonly Shortcut[] | undefined;
  sendKeys?: SendKeys | undefined;
  /** Below the field: what holds for this conversation. */
  children?: ReactNode;
};

const NONE: readonly Shortcut[] = [];

/** Where questions are written; keys send, but never while a word is being composed. */
export function Composer(props: Props) {
  const { isRunning, isDisabled, onSend, onStop, onUpload, onEditLast } = props;
  const { field, kept, shortcuts = NONE, sendKeys = "enter", children } = props;
  const text = useText(chatText);
  const told = useTold();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [value, setShown] = useState(() => kept?.text() ?? "");
  const [shownOf, setShownOf] = useState(kept?.id);
  if (kept && kept.id !== shownOf) {
    setShownOf(kept.id);
    setShown(kept.text());
  }
  const setValue = (next: string) => {
    setShown(next);
    setAt(0);
    kept?.keep(next);
  };
  const [form, setForm] = useState<Shortcut>();
  const [at, setAt] = useState(0);
  const { files, isUploading, ready, take, again, remove, clear } = useAttaching(onUpload);
  const isReady = !isRunning && !isDisabled && !isUploading;
  const canSend = isReady && (value.trim() || ready.length > 0);
  const offered = form ? NONE : found(shortcuts, value);
  function send(): void {
    if (!canSend) return;
    onSend(value.trim(), ready);
    setValue("");
    clear();
  }
  function choose(shortcut: Shortcut): void {
    setValue("");
    if (shortcut.fields.length > 0) setForm(shortcut);
    else ask(shortcut, {});
  }
  function ask(shortcut: Shortcut, filled: Filled): void {
    if (!isReady) return;
    onSend(questionOf(shortcut, filled), ready, chosenOf(shortcut, filled));
    setForm(undefined);
    clear();
  }
  /** Walks the shortcuts that are offered, and chooses one; false for keys that do neither. */
  function onListKey({ key }: KeyboardEvent): boolean {
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    const chosen = offered[at];
    if (!chosen) return false;
    if (step) setAt((at + step + offered.length) % offered.length);
    else if (key === "Enter" || key === "Tab") choose(chosen);
    else if (key === "Escape") setValue("");
    else return false;
    return true;
  }
  /** Sends, or asks to edit the last question; false for keys that do neither. */
  function onFieldKey(event: KeyboardEvent): boolean {
    const isPlain = !event.shiftKey && !event.altKey;
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === "ArrowUp" && !value) onEditLast();
    else if (event.key === "Enter" && isPlain && (isMod || sendKeys === "enter")) send();
    else return false;
    return true;
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (onListKey(event) || onFieldKey(event)) event.preventDefault();
  }
  const isBare = !onUpload && !children;
  return (
    <>
      {form && (
        <Suspense fallback={null}>
          <ShortcutForm
            key={form.id}
            shortcut={form}
            isReady={isReady}
            onUpload={onUpload}
            onClose={() => setForm(undefined)}
            onSend={(filled) => ask(form, filled)}
          />
        </Suspense>
      )}
      {!form && <ShortcutChips shortcuts={shortcuts} isDisabled={!isReady} onChoose={choose} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen by the button too */}
      <div
        className={classes(styles.composer, isBare && styles.bare)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files);
        }}
      >
        <ShortcutList id={`${id}-list`} shortcuts={offered} at={at} onChoose={choose} />
        {files.length > 0 && (
          <div className={styles.files}>
            {files.map((each) => (
              <FileChip
                key={each.key}
                name={each.file.name}
                bytes={each.file.size}
                progress={each.attached || each.error ? undefined : each.progress}
                error={each.error && told("", each.error)}
                onRemove={() => remove(each)}
                onRetry={each.error ? () => again(each) : undefined}
              />
            ))}
          </div>
        )}
        <label htmlFor={id} className={unseen.unseen}>
          {text.message}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={1}
          value={value}
          placeholder={shortcuts.length > 0 ? text.askOrSlash : text.ask}
          className={styles.field}
          {...(offered.length > 0 && {
            "aria-autocomplete": "list",
            "aria-haspopup": "listbox",
            "aria-controls": `${id}-list`,
            "aria-activedescendant": `${id}-list-${at}`,
          })}
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
                  take(event.target.files ?? []);
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
    </>
  );
}
