import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ServerWords } from "../../../ui/error-state/server-words";
import { FileDrop } from "../../../ui/file/file-drop";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import { fits, ImportPreviewView } from "./import-preview";
import {
  type Target,
  templateAddress,
  useImport,
  useImportFile,
  useImportPreview,
} from "./queries";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const FORMATS = ["csv", "xlsx"] as const;

type Props = { workspaceId: string; target: Target; onClose: () => void };

/** Rows from a file: looked at first, then all of them, or none and why. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImportDialog({ workspaceId, target, onClose }: Props) {
  const { import: text } = useText(tableText);
  const look = useImportPreview();
  const start = useImportFile();
  const [importId, setImportId] = useState<string>();
  const job = useImport(target, importId);
  const failure = failureOf(look.error ?? start.error);
  const isRunning = start.isPending || (importId !== undefined && !isOver(job?.status));
  const seen = importId === undefined && !look.isPending ? look.data : undefined;
  const isDone = job?.status === "done";
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      size={seen ? "wide" : "normal"}
      actions={
        <>
          <Button kind={isDone ? "primary" : "plain"} onClick={onClose}>
            {text.close}
          </Button>
          {!isDone && (
            <Button
              kind="primary"
              disabled={!seen || !fits(seen.preview)}
              isLoading={isRunning}
              onClick={() =>
                seen &&
                start.mutate(
                  { target, fileId: seen.fileId },
                  { onSuccess: (made) => setImportId(made.id) },
                )
              }
            >
              {seen ? text.add(seen.preview.total) : text.verb}
            </Button>
          )}
        </>
      }
    >
      <FileDrop
        label={text.drop}
        hint={text.dropHint}
        accept=".csv,.xlsx,.xls"
        isSingle
        isDisabled={isRunning || look.isPending}
        onFiles={([file]) => {
          if (!file) return;
          setImportId(undefined);
          start.reset();
          look.mutate({ workspaceId, target, file });
        }}
      />
      {!seen && (
        <p className={styles.line}>
          {text.template}
          {FORMATS.map((format) => (
            <a key={format} href={templateAddress(target, format)} download className={styles.link}>
              {format.toUpperCase()}
            </a>
          ))}
        </p>
      )}
      <div role="status">
        {(isRunning || look.isPending) && <p className={styles.note}>{text.running}</p>}
        {job?.status === "done" && (
          <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
            {text.done(job.rows)}
          </StateBadge>
        )}
      </div>
      {seen && <ImportPreviewView fileName={seen.fileName} preview={seen.preview} />}
      {job?.status === "failed" && (
        <>
          <p>{text.refused(job.file_name)}</p>
          <ul className={styles.problems}>
            {job.problem.split("\n").map((each) => (
              <li key={each}>
                <ServerWords message={each} />
              </li>
            ))}
          </ul>
        </>
      )}
      {failure && <ErrorLine failure={failure} />}
    </Dialog>
  );
}

function isOver(status: string | undefined): boolean {
  return status === "done" || status === "failed";
}
