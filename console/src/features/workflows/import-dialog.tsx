import { CircleAlert, CircleCheck, FileJson } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { AdminImportReport } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { FileDrop } from "../../ui/file/file-drop";
import styles from "./import-dialog.module.css";
import { useImportWorkflow } from "./queries";
import { workflowsText } from "./text";

type Entry = {
  readonly file: File;
  readonly report?: AdminImportReport;
  readonly failure?: ReturnType<typeof failureOf>;
};

type Props = { workspaceId: string; onClose: () => void; onOpen: (id: string) => void };

/** Bringing canvases in, and what each of them lacks here. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImportDialog({ workspaceId, onClose, onOpen }: Props) {
  const text = useText(workflowsText);
  const bring = useImportWorkflow(workspaceId);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [isRunning, setRunning] = useState(false);
  const isOver = entries.length > 0 && entries.every((each) => each.report ?? each.failure);
  function put(file: File, more: Partial<Entry>): void {
    setEntries((all) => all.map((each) => (each.file === file ? { ...each, ...more } : each)));
  }
  async function run(): Promise<void> {
    setRunning(true);
    for (const { file, canvas } of await ordered(entries.map((each) => each.file))) {
      try {
        const name = file.name.replace(/\.json$/i, "");
        put(file, { report: await bring.mutateAsync({ text: canvas, name }) });
      } catch (error) {
        const known = error instanceof Error ? error : new Error(String(error));
        put(file, { failure: failureOf(known) });
      }
    }
    setRunning(false);
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={text.bringTitle}
      description={text.bringWhy}
      actions={
        isOver ? (
          <Button kind="primary" onClick={onClose}>
            {text.done}
          </Button>
        ) : (
          <Button
            kind="primary"
            isLoading={isRunning}
            disabled={entries.length === 0}
            onClick={() => void run()}
          >
            {text.bringVerb(entries.length)}
          </Button>
        )
      }
    >
      {!isOver && !isRunning && (
        <FileDrop
          label={text.dropFiles}
          accept=".json,application/json"
          onFiles={(files) =>
            setEntries((all) => [...all, ...files.map((file): Entry => ({ file }))])
          }
        />
      )}
      <ul className={styles.files}>
        {entries.map((entry) => (
          <li key={entry.file.name + entry.file.lastModified} className={styles.file}>
            <FileJson size={16} />
            <div className={styles.words}>
              <span className={styles.name}>{entry.report?.workflow.name ?? entry.file.name}</span>
              {entry.report && <Report report={entry.report} />}
              {entry.failure && <ErrorLine failure={entry.failure} />}
              {isRunning && !entry.report && !entry.failure && (
                <span className={styles.quiet}>{text.report.importing}</span>
              )}
            </div>
            {entry.report && (
              <Button size="compact" onClick={() => onOpen(entry.report?.workflow.id ?? "")}>
                {text.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** What the check says about an imported canvas, and what it names that is not here. */
function Report({ report }: { report: AdminImportReport }) {
  const text = useText(workflowsText);
  const { diagnostics } = report.findings;
  const errors = diagnostics.filter((each) => each.severity === "error").length;
  const warnings = diagnostics.filter((each) => each.severity === "warning").length;
  const words = [
    errors > 0 && text.report.errors(errors),
    warnings > 0 && text.report.warnings(warnings),
  ].filter(Boolean);
  const kinds: Readonly<Record<string, string>> = text.resources;
  return (
    <div className={styles.report}>
      <span className={styles.state} data-tone={errors > 0 ? "bad" : "ok"}>
        {errors > 0 ? <CircleAlert size={14} /> : <CircleCheck size={14} />}
        {words.length > 0 ? words.join(" · ") : text.report.clean}
      </span>
      {report.unknown_nodes.length > 0 && (
        <span className={styles.quiet}>{text.report.unknown(report.unknown_nodes.length)}</span>
      )}
      {report.missing.length > 0 && (
        <div className={styles.quiet}>
          {text.report.missing}
          <ul className={styles.missing}>
            {report.missing.map((each) => (
              <li key={`${each.kind} ${each.id} ${each.detail}`}>
                {kinds[each.kind] ?? each.kind} · {each.name || each.id}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Files with their texts: those that nothing else calls come last, so that callers find them. */
async function ordered(files: readonly File[]): Promise<{ file: File; canvas: string }[]> {
  const read = await Promise.all(files.map(async (file) => ({ file, canvas: await file.text() })));
  const calls = (canvas: string) => (/"workflowId"\s*:\s*"\d+"/i.test(canvas) ? 1 : 0);
  return read.toSorted((one, other) => calls(one.canvas) - calls(other.canvas));
}
