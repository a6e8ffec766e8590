import { lazy, Suspense, useMemo } from "react";
import { useText } from "../../../text/catalogue";
import { useTold } from "../../../ui/error-state/reasons";
import { Select } from "../../../ui/select/select";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import { numberOf, textOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { CODE } from "../../model/kind";
import { inputsOf } from "../../model/output";
import { useProblems } from "../../problems";
import { canvasText } from "../../text";
import { typeWord } from "../../type-word";
import { useEdit } from "../edit";
import { InputRows, Section } from "../input-rows";
import { shows } from "../lead";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const CodeEditor = lazy(() => import("../code-editor"));
const SOURCE = ["data", "inputs", "code"];
const LANGUAGE = ["data", "inputs", "language"];
const LANGUAGES = ["3", "5"] as const;

function CodeForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const { all } = useProblems();
  const faults = all.filter(
    (each) => each.node_id === node.id && each.json_pointer.endsWith("/code"),
  );
  const told = useTold();
  const lines = faults.map((each) => lineOf(each.message) ?? 0).join(" ");
  const wrong = useMemo(() => lines.split(" ").map(Number).filter(Boolean), [lines]);
  const inputs = inputsOf(node).map(({ name, type }) => ({ name, note: typeWord(type, text) }));
  const language = numberOf(edit.at(LANGUAGE)) === 5 ? "5" : "3";
  return (
    <>
      <InputRows node={node} title={text.form.inputs} hint={text.code.inputs} />
      <Section title={text.code.title}>
        <div className={styles.stack}>
          <Select
            label={text.code.language}
            value={language}
            isDisabled={edit.isReadOnly}
            options={LANGUAGES.map((value) => ({ value, label: text.code.languages[value] }))}
            onChange={(value) => edit.set(LANGUAGE, Number(value))}
          />
          <div {...shows(SOURCE)}>
            <Suspense fallback={<Skeleton width="100%" height={200} />}>
              <CodeEditor
                key={node.id}
                label={text.code.source}
                value={textOf(edit.at(SOURCE))}
                language={language === "5" ? "javascript" : "python"}
                inputs={inputs}
                wrong={wrong}
                isReadOnly={edit.isReadOnly}
                onChange={(source) => edit.set(SOURCE, source)}
              />
            </Suspense>
          </div>
          {faults.map((each) => (
            <p key={each.message} className={styles.bad}>
              {told(each.code, each.message)}
            </p>
          ))}
        </div>
      </Section>
      <OutputRows node={node} title={text.form.outputs} />
    </>
  );
}

/** The line that a finding about code speaks of. */
function lineOf(message: string): number | undefined {
  const said = /\bline (\d+)\b/i.exec(message)?.[1];
  return said ? Number(said) : undefined;
}

export const form: NodeForm = {
  types: [CODE],
  Form: CodeForm,
  inputs: "none",
  outputs: "none",
  handlesErrors: true,
};
