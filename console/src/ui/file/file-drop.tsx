import { Upload } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { classes } from "../classes";
import { droppedFiles } from "./dropped-files";
import styles from "./file-drop.module.css";

type Props = {
  /** What to do here, as the button says it. */
  label: string;
  /** Kinds and limits, in words. */
  hint?: ReactNode;
  /** As the attribute of an input: `.pdf,image/*`. */
  accept?: string;
  isSingle?: boolean;
  isDisabled?: boolean;
  /** Offers whole folders besides, under these words; dropped ones are taken then, too. */
  folderLabel?: string;
  onFiles: (files: readonly File[]) => void;
};

/** A place to drop, paste or choose files. */
export function FileDrop(props: Props) {
  const { label, hint, accept, isSingle, isDisabled, folderLabel, onFiles } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  function take(files: Iterable<File> | null): void {
    const all = [...(files ?? [])];
    if (all.length > 0 && !isDisabled) onFiles(isSingle ? all.slice(0, 1) : all);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={classes(styles.drop, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (folderLabel) void droppedFiles(event.dataTransfer).then(take);
        else take(event.dataTransfer.files);
      }}
      onPaste={(event) => take(event.clipboardData.files)}
    >
      <button
        type="button"
        disabled={isDisabled}
        aria-describedby={hint ? id : undefined}
        className={styles.button}
        onClick={() => input.current?.click()}
      >
        <Upload size={18} strokeWidth={1.5} />
        {label}
      </button>
      {folderLabel && (
        <button
          type="button"
          disabled={isDisabled}
          className={styles.folder}
          onClick={() => folder.current?.click()}
        >
          {folderLabel}
        </button>
      )}
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = "";
        }}
      />
      {folderLabel && (
        <input
          ref={(element) => {
            if (element) element.webkitdirectory = true;
            folder.current = element;
          }}
          type="file"
          hidden
          multiple
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
        />
      )}
    </div>
  );
}
