import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { FileDrop } from "../../../ui/file/file-drop";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import { type Target, templateAddress, useImport, useImportFile } from "./queries";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const FORMATS = ["csv", "xlsx"] as const;

type Props = { workspaceId: string; target: Target; onClose: () => void };

/** Rows from a file: all of them, or none and why. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImportDialog({ workspaceId, target, onClose }: Props) {
  const { import: text } = useText(tableText);
  const start = useImportFile();
  const [importId, setImportId] = useState<string>();
  const job = useImport(target, importId);
  const failure = failureOf(start.error);
  const isRunning = start.isPending || (importId !== undefined && !isOver(job?.status));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <Button kind={job?.status === "done" ? "primary" : "plain"} onClick={onClose}>
          {text.close}
        </Button>
      }
    >
      <FileDrop
        label={text.drop}
        hint={text.dropHint}
        accept=".csv,.xlsx,.xls"
        isSingle
        isDisabled={isRunning}
        onFiles={([file]) => {
          if (!file) return;
          setImportId(undefined);
          start.mutate(
            { workspaceId, target, file },
            { onSuccess: (made) => setImportId(made.id) },
          );
        }}
      />
      <p className={styles.line}>
        {text.template}
        {FORMATS.map((format) => (
          <a key={format} href={templateAddress(target, format)} download className={styles.link}>
            {format.toUpperCase()}
          </a>
        ))}
      </p>
      <div role="status">
        {isRunning && <p className={styles.note}>{text.running}</p>}
        {job?.status === "done" && (
          <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
            {text.done(job.rows)}
          </StateBadge>
        )}
      </div>
      {job?.status === "failed" && (
        <>
          <p>{text.refused(job.file_name)}</p>
          <ul className={styles.problems}>
            {job.problem.split("; ").map((each) => (
              <li key={each}>{each}</li>
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
