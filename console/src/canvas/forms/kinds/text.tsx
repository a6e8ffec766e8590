import { useText } from "../../../text/catalogue";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import { Select } from "../../../ui/select/select";
import { TextField } from "../../../ui/text-field/text-field";
import { items, textOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { TEXT } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { InputRows, Section } from "../input-rows";
import { paramsOf } from "../params";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { TemplateField } from "../template-field";

const METHOD = ["data", "inputs", "method"];
const METHODS = ["concat", "split"] as const;

function TextForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const isSplit = textOf(edit.at(METHOD)) === "split";
  const concat = paramsOf(edit, ["data", "inputs", "concatParams"]);
  const split = paramsOf(edit, ["data", "inputs", "splitParams"]);
  const signs = items(split.value("delimiters")).map(textOf);
  return (
    <>
      <Section title={text.textForm.method}>
        <Select
          label={text.textForm.method}
          isLabelHidden
          value={isSplit ? "split" : "concat"}
          isDisabled={edit.isReadOnly}
          options={METHODS.map((value) => ({ value, label: text.textForm.methods[value] }))}
          onChange={(value) => edit.set(METHOD, value)}
        />
      </Section>
      <InputRows
        node={node}
        title={text.form.inputs}
        hint={isSplit ? text.textForm.splitInput : undefined}
      />
      <Section
        title={text.textForm.how}
        path={["data", "inputs", isSplit ? "splitParams" : "concatParams"]}
      >
        {isSplit ? (
          <MultiCombobox
            label={text.textForm.signs}
            hint={text.textForm.signsHint}
            values={signs.map((each) => ({ value: each, label: shown(each) }))}
            options={["\n", ",", ";", " ", "。"].map((each) => ({
              value: each,
              label: shown(each),
            }))}
            onCreate={(typed) => ({ value: typed, label: typed })}
            isDisabled={edit.isReadOnly}
            onChange={(values) =>
              split.set(
                "delimiters",
                "list",
                values.map((each) => each.value),
              )
            }
          />
        ) : (
          <div className={styles.stack}>
            <TemplateField
              node={node}
              label={text.textForm.result}
              path={concat.place("concatResult")}
              value={concat.text("concatResult")}
              isDisabled={edit.isReadOnly}
              onChange={(said) => concat.set("concatResult", "string", said)}
            />
            <TextField
              label={text.textForm.between}
              hint={text.textForm.betweenHint}
              value={concat.text("arrayItemConcatChar")}
              disabled={edit.isReadOnly}
              onChange={(said) => concat.set("arrayItemConcatChar", "string", said)}
            />
          </div>
        )}
      </Section>
    </>
  );
}

function shown(sign: string): string {
  return sign === "\n" ? "↵" : sign === " " ? "␣" : sign;
}

export const form: NodeForm = {
  types: [TEXT],
  Form: TextForm,
  inputs: "none",
  outputs: "fixed",
};
