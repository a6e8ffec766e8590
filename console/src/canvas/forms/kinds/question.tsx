import { Plus, Trash2 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { NumberField } from "../../../ui/number/number-field";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { removeBranch } from "../../commands/branches";
import { at, isTrue, items, numberOf, textOf } from "../../document/read";
import type { Path } from "../../document/tree";
import { field } from "../../model/field";
import type { Placed } from "../../model/graph";
import { INTENT, QUESTION } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { InputRows, Section } from "../input-rows";
import { shows } from "../lead";
import { ModelField } from "../model-field";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { TemplateField } from "../template-field";
import { ValueEditor } from "../value-editor";

const INPUTS: Path = ["data", "inputs"];
const MODEL: Path = [...INPUTS, "llmParam"];

function QuestionForm({ node }: { node: Placed }) {
  return node.type === INTENT ? <Intent node={node} /> : <Question node={node} />;
}

function Model({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  return (
    <Section title={text.form.model} path={MODEL}>
      <ModelField
        id={textOf(edit.at([...MODEL, "modelType"])).replace(/^0$/, "")}
        name={textOf(edit.at([...MODEL, "modelName"]))}
        isDisabled={edit.isReadOnly}
        onChange={({ id, name }) => {
          edit.set([...MODEL, "modelType"], /^\d{1,15}$/.test(id) ? Number(id) : id);
          edit.set([...MODEL, "modelName"], name);
        }}
        onClear={() => {
          edit.set([...MODEL, "modelType"], 0);
          edit.set([...MODEL, "modelName"], "");
        }}
      />
    </Section>
  );
}

function Intent({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const isFast = textOf(edit.at([...INPUTS, "mode"])) === "top_speed";
  const prompt: Path = [...MODEL, "systemPrompt", "value", "content"];
  return (
    <>
      <Model node={node} />
      <InputRows node={node} title={text.form.inputs} isFixed />
      <Names
        node={node}
        title={text.intent.intents}
        path={[...INPUTS, "intents"]}
        hint={text.intent.otherwise}
      />
      <Section title={text.intent.more}>
        <div className={styles.stack}>
          <TemplateField
            node={node}
            label={text.intent.prompt}
            path={[...MODEL, "systemPrompt"]}
            value={textOf(edit.at(prompt))}
            isDisabled={edit.isReadOnly}
            onChange={(said) =>
              edit.at(prompt)
                ? edit.set(prompt, said)
                : edit.set([...MODEL, "systemPrompt"], {
                    type: "string",
                    value: { type: "literal", content: said },
                  })
            }
          />
          <Switch
            label={text.intent.fast}
            hint={text.intent.fastWhy}
            isOn={isFast}
            isDisabled={edit.isReadOnly}
            onChange={(isOn) => edit.set([...INPUTS, "mode"], isOn ? "top_speed" : "all")}
          />
        </div>
      </Section>
    </>
  );
}

function Question({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const isOption = textOf(edit.at([...INPUTS, "answer_type"])) === "option";
  const isDynamic = textOf(edit.at([...INPUTS, "option_type"])) === "dynamic";
  const extracts = isTrue(edit.at([...INPUTS, "extra_output"]));
  const isDisabled = edit.isReadOnly;
  return (
    <>
      <InputRows node={node} title={text.form.inputs} />
      <Section title={text.question.title} path={INPUTS}>
        <div className={styles.stack}>
          <TemplateField
            node={node}
            label={text.question.words}
            path={[...INPUTS, "question"]}
            value={textOf(edit.at([...INPUTS, "question"]))}
            isDisabled={isDisabled}
            onChange={(said) => edit.set([...INPUTS, "question"], said)}
          />
          <Select
            label={text.question.answer}
            value={isOption ? "option" : "text"}
            isDisabled={isDisabled}
            options={[
              { value: "text", label: text.question.text },
              { value: "option", label: text.question.option },
            ]}
            onChange={(value) => edit.set([...INPUTS, "answer_type"], value)}
          />
          {isOption && (
            <Switch
              label={text.question.dynamic}
              isOn={isDynamic}
              isDisabled={isDisabled}
              onChange={(isOn) => edit.set([...INPUTS, "option_type"], isOn ? "dynamic" : "static")}
            />
          )}
          {isOption && isDynamic && (
            <ValueEditor
              node={node}
              label={text.question.options}
              wanted={field("", "list", { item: field("", "string") })}
              path={[...INPUTS, "dynamic_option"]}
              canBeLiteral={false}
            />
          )}
          {!isOption && (
            <Switch
              label={text.question.extract}
              hint={text.question.extractWhy}
              isOn={extracts}
              isDisabled={isDisabled}
              onChange={(isOn) => edit.set([...INPUTS, "extra_output"], isOn)}
            />
          )}
          {!isOption && extracts && (
            <NumberField
              label={text.question.limit}
              value={numberOf(edit.at([...INPUTS, "limit"]))}
              min={1}
              max={10}
              isDisabled={isDisabled}
              onChange={(value) => edit.set([...INPUTS, "limit"], value ?? 3)}
            />
          )}
        </div>
      </Section>
      {isOption && !isDynamic && (
        <Names
          node={node}
          title={text.question.options}
          path={[...INPUTS, "options"]}
          hint={text.question.otherwise}
        />
      )}
      {(isOption || extracts) && <Model node={node} />}
      <OutputRows node={node} title={text.form.outputs} locked={["USER_RESPONSE"]} />
    </>
  );
}

type NamesProps = { node: Placed; title: string; path: Path; hint: string };

/** Names of ways out of a node, each with a port of its own. */
function Names({ node, title, path, hint }: NamesProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const names = items(edit.at(path));
  return (
    <Section
      title={title}
      path={path}
      aside={
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.form.addOption}
            icon={<Plus size={16} />}
            onClick={() => edit.add(path, { name: "" })}
          />
        )
      }
    >
      <div className={styles.rows}>
        {names.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ways are known by their place
          <div className={styles.row} key={index} {...shows([...path, index])}>
            <input
              className={`${styles.name} ${styles.grow}`}
              aria-label={`${title} ${index + 1}`}
              value={textOf(at(each, ["name"]))}
              disabled={edit.isReadOnly}
              onChange={(event) => edit.set([...path, index, "name"], event.target.value)}
            />
            {!edit.isReadOnly && (
              <IconButton
                size="compact"
                label={text.form.removeOption(index + 1)}
                icon={<Trash2 size={14} />}
                disabled={names.length === 1}
                onClick={() =>
                  edit.change(text.steps.edit(node.title), (root) =>
                    removeBranch(root, node.id, path, index),
                  )
                }
              />
            )}
          </div>
        ))}
        <p className={styles.hint}>{hint}</p>
      </div>
    </Section>
  );
}

export const form: NodeForm = {
  types: [QUESTION, INTENT],
  Form: QuestionForm,
  inputs: "none",
  outputs: "none",
};
