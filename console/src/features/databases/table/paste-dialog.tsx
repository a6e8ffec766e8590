import { useMemo, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Unsaved } from "../../../ui/form/unsaved";
import { PlainTable } from "../../../ui/table/plain-table";
import { uiText } from "../../../ui/text";
import { TextArea } from "../../../ui/text-field/text-area";
import { toast } from "../../../ui/toast/toasts";
import { type Target, useInsertRows } from "./queries";
import { type Field, pasteOf } from "./rules";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const SHOWN_ROWS = 20;
const SHOWN_PROBLEMS = 50;

type Props = { target: Target; fields: readonly Field[]; text: string; onClose: () => void };

/** Rows from a spreadsheet, looked at before they are added. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PasteDialog({ target, fields, text: first, onClose }: Props) {
  const { paste: text, cellProblems } = useText(tableText);
  const { cancel } = useText(uiText);
  const [words, setWords] = useState(first);
  const { rows, problems } = useMemo(() => pasteOf(words, fields), [words, fields]);
  const insert = useInsertRows(target);
  const failure = failureOf(insert.error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            disabled={rows.length === 0 || problems.length > 0}
            isLoading={insert.isPending}
            onClick={() =>
              insert.mutate(rows, {
                onSuccess: () => {
                  toast(text.added(rows.length));
                  onClose();
                },
              })
            }
          >
            {text.add(rows.length)}
          </Button>
        </>
      }
    >
      <TextArea
        label={text.label}
        isCode
        isShort
        rows={4}
        value={words}
        onChange={setWords}
        spellCheck={false}
      />
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.slice(0, SHOWN_PROBLEMS).map(({ line, field, typed, problem }) => (
            <li key={`${line} ${field}`}>
              {text.line(line, cellProblems[problem](field))} {typed && <code>{typed}</code>}
            </li>
          ))}
          {problems.length > SHOWN_PROBLEMS && (
            <li>{text.more(problems.length - SHOWN_PROBLEMS)}</li>
          )}
        </ul>
      )}
      {rows.length > 0 && (
        <PlainTable
          isShort
          label={text.preview}
          columns={fields}
          rows={rows
            .slice(0, SHOWN_ROWS)
            .map((row) => fields.map(({ name }) => ({ text: row[name] ?? "" })))}
        />
      )}
      <Unsaved isUnsaved={words !== first && !insert.isPending} />
      {failure && <ErrorLine failure={failure} labels={{ records: text.label }} />}
    </Dialog>
  );
}
