import { useId } from "react";
import { useText } from "../../../text/catalogue";
import { Select } from "../../../ui/select/select";
import { numberOf, textOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { CODE } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { InputRows, Section } from "../input-rows";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const SOURCE = ["data", "inputs", "code"];
const LANGUAGE = ["data", "inputs", "language"];
const LANGUAGES = ["3", "5"] as const;

function CodeForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const id = useId();
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
          <label htmlFor={id} className={styles.hint}>
            {text.code.source}
          </label>
          <textarea
            id={id}
            className={styles.code}
            spellCheck={false}
            value={textOf(edit.at(SOURCE))}
            disabled={edit.isReadOnly}
            onChange={(event) => edit.set(SOURCE, event.target.value)}
          />
        </div>
      </Section>
      <OutputRows node={node} title={text.form.outputs} />
    </>
  );
}

export const form: NodeForm = {
  types: [CODE],
  Form: CodeForm,
  inputs: "none",
  outputs: "none",
  handlesErrors: true,
};
