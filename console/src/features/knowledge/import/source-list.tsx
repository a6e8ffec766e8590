import type { ReactNode } from "react";
import { failureOf } from "../../../api/list";
import type { Upload } from "../../../api/uploads";
import { useText } from "../../../text/catalogue";
import { formatBytes } from "../../../text/formats";
import { useTold } from "../../../ui/error-state/reasons";
import { FileChip } from "../../../ui/file/file-chip";
import type { Source } from "./rules";
import styles from "./source-list.module.css";
import { importText } from "./text";

type Props = {
  uploads: readonly Upload[];
  mostBytes: number;
  sources: readonly Source[];
  /** Sources with settings of their own. */
  own: ReadonlyMap<string, unknown>;
  shownId: string | undefined;
  onShow: (id: string) => void;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
};

/** Everything that was chosen, on its way or there. */
export function SourceList(props: Props) {
  const { uploads, mostBytes, sources, own, shownId, onShow, onRemove, onRetry } = props;
  const { sources: text } = useText(importText);
  const told = useTold();
  const noteOf = (id: string) => (own.has(id) ? text.ownSettings : undefined);
  if (uploads.length + sources.length === 0) return null;
  return (
    <ul className={styles.list}>
      {uploads.map((upload) => (
        <Row key={upload.id} id={upload.id} name={upload.name} shownId={shownId} onShow={onShow}>
          <FileChip
            name={upload.name}
            bytes={upload.file.size}
            note={noteOf(upload.id)}
            progress={upload.state === "done" ? undefined : upload.sentBytes / upload.file.size}
            error={wrongWith(upload, text, mostBytes, told)}
            onRetry={upload.state === "failed" ? () => onRetry(upload.id) : undefined}
            onRemove={() => onRemove(upload.id)}
          />
        </Row>
      ))}
      {sources.map((source) => (
        <Row key={source.id} id={source.id} name={source.name} shownId={shownId} onShow={onShow}>
          <FileChip
            name={source.name}
            note={noteOf(source.id)}
            onRemove={() => onRemove(source.id)}
          />
        </Row>
      ))}
    </ul>
  );
}

type RowProps = {
  id: string;
  name: string;
  shownId: string | undefined;
  onShow: (id: string) => void;
  children: ReactNode;
};

function Row({ id, name, shownId, onShow, children }: RowProps) {
  const { sources: text } = useText(importText);
  return (
    <li className={styles.row} data-shown={id === shownId ? "" : undefined}>
      <button
        type="button"
        aria-label={text.looking(name)}
        aria-pressed={id === shownId}
        className={styles.look}
        onClick={() => onShow(id)}
      />
      {children}
    </li>
  );
}

type Words = { failed: string; tooLarge: (limit: string) => string };

function wrongWith(
  upload: Upload,
  words: Words,
  mostBytes: number,
  told: ReturnType<typeof useTold>,
): string | undefined {
  if (upload.state === "too large") return words.tooLarge(formatBytes(mostBytes));
  if (upload.state !== "failed") return undefined;
  const message = failureOf(upload.failure ?? null)?.message;
  return message ? told("", message) : words.failed;
}
