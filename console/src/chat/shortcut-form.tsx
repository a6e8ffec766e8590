import { X } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import { useTold } from "../ui/error-state/reasons";
import { FileChip } from "../ui/file/file-chip";
import { FileDrop } from "../ui/file/file-drop";
import { Select } from "../ui/select/select";
import { TextArea } from "../ui/text-field/text-area";
import { useAttaching } from "./attaching";
import type { Attached, Upload } from "./client";
import styles from "./shortcut-form.module.css";
import type { Filled, Shortcut, ShortcutField } from "./shortcuts";
import { chatText } from "./text";

type Props = {
  shortcut: Shortcut;
  /** Whether something can be sent now. */
  isReady: boolean;
  onUpload: Upload | undefined;
  onSend: (filled: Filled) => void;
  onClose: () => void;
};

/** What a shortcut wants to know before it is asked. */
export function ShortcutForm({ shortcut, isReady, onUpload, onSend, onClose }: Props) {
  const text = useText(chatText);
  const title = useId();
  const fields = shortcut.fields.filter(({ kind }) => kind !== "file" || onUpload);
  const [filled, setFilled] = useState<Filled>(() =>
    Object.fromEntries(fields.map(({ name, first }) => [name, first])),
  );
  const [uploads, setUploads] = useState(0);
  const set = (name: string, value: string | Attached) =>
    setFilled((old) => ({ ...old, [name]: value }));
  return (
    <form
      aria-labelledby={title}
      className={styles.form}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault(); // or it would close what is around, too
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(filled);
      }}
    >
      <header className={styles.head}>
        <h3 id={title}>{shortcut.name}</h3>
        <IconButton size="compact" label={text.cancel} icon={<X size={14} />} onClick={onClose} />
      </header>
      {shortcut.note && <p className={styles.note}>{shortcut.note}</p>}
      {fields.map((field, index) => (
        <One
          key={field.name}
          field={field}
          isFirst={index === 0}
          value={filled[field.name] ?? ""}
          onUpload={onUpload}
          onUploading={(isBusy) => setUploads((old) => old + (isBusy ? 1 : -1))}
          onChange={(value) => set(field.name, value)}
        />
      ))}
      <div>
        <Button kind="primary" type="submit" disabled={!isReady || uploads > 0}>
          {text.send}
        </Button>
      </div>
    </form>
  );
}

type OneProps = {
  field: ShortcutField;
  isFirst: boolean;
  value: string | Attached;
  onUpload: Upload | undefined;
  onUploading: (isBusy: boolean) => void;
  onChange: (value: string | Attached) => void;
};

function One({ field, isFirst, value, onUpload, onUploading, onChange }: OneProps) {
  const { name, note, kind, options } = field;
  if (kind === "file") return <FileField {...{ field, onUpload, onUploading, onChange }} />;
  const said = typeof value === "string" ? value : value.name;
  if (kind === "select")
    return (
      <Select
        label={name}
        hint={note}
        value={said}
        options={options.map((each) => ({ value: each, label: each }))}
        onChange={onChange}
      />
    );
  return (
    <TextArea
      label={name}
      hint={note}
      value={said}
      onChange={onChange}
      isShort
      autoFocus={isFirst}
    />
  );
}

type FileProps = Omit<OneProps, "isFirst" | "value">;

function FileField({ field, onUpload, onUploading, onChange }: FileProps) {
  const text = useText(chatText);
  const told = useTold();
  const { files, isUploading, ready, take, again, remove } = useAttaching(onUpload);
  const [attached] = ready;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is told of what changed alone
  useEffect(() => onChange(attached ?? ""), [attached]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  useEffect(() => {
    if (!isUploading) return;
    onUploading(true);
    return () => onUploading(false);
  }, [isUploading]);
  const [file] = files;
  return (
    <div className={styles.file}>
      <span>{field.name}</span>
      {field.note && <span className={styles.note}>{field.note}</span>}
      {file ? (
        <FileChip
          name={file.file.name}
          bytes={file.file.size}
          progress={file.attached || file.error ? undefined : file.progress}
          error={file.error && told("", file.error)}
          onRemove={() => remove(file)}
          onRetry={file.error ? () => again(file) : undefined}
        />
      ) : (
        <FileDrop label={text.chooseFile(field.name)} isSingle onFiles={take} />
      )}
    </div>
  );
}
