import { Plus, Trash2 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { Select } from "../../../ui/select/select";
import { setInNode } from "../../commands/nodes";
import { renameOutput } from "../../commands/rename";
import { at, items, textOf } from "../../document/read";
import { useFixedOutputs } from "../../kinds";
import { field } from "../../model/field";
import { graphOf, type Placed } from "../../model/graph";
import { BATCH, LOOP } from "../../model/kind";
import { collectable } from "../../model/output";
import { useCanvas } from "../../store";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { unsetInput } from "../input";
import { InputRows, Section } from "../input-rows";
import { freeName, NameField } from "../name-field";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { ValueEditor } from "../value-editor";

const TYPES = ["array", "count", "infinite"] as const;
const OUTPUTS = ["data", "outputs"];

function CompositeForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const inputs = ["data", "inputs"];
  const type = TYPES.find((each) => each === textOf(edit.at([...inputs, "loopType"]))) ?? "array";
  const isLoop = node.type === LOOP;
  const number = field("", "integer");
  const value = (name: string, label: string) => (
    <div className={styles.row}>
      <span className={styles.fixed}>{label}</span>
      <ValueEditor node={node} label={label} wanted={number} path={[...inputs, name]} />
    </div>
  );
  return (
    <>
      <Section title={isLoop ? text.composite.loop : text.composite.batch} path={inputs}>
        <div className={styles.stack}>
          {isLoop && (
            <Select
              label={text.composite.type}
              value={type}
              isDisabled={edit.isReadOnly}
              options={TYPES.map((each) => ({ value: each, label: text.composite.types[each] }))}
              onChange={(next) => edit.set([...inputs, "loopType"], next)}
            />
          )}
          {isLoop && type === "count" && value("loopCount", text.composite.count)}
          {!isLoop && value("batchSize", text.composite.most)}
          {!isLoop && value("concurrentSize", text.composite.atOnce)}
        </div>
      </Section>
      {(!isLoop || type === "array") && (
        <InputRows node={node} title={text.composite.lists} hint={text.composite.listsWhy} />
      )}
      {isLoop && (
        <InputRows
          node={node}
          title={text.composite.variables}
          hint={text.composite.variablesWhy}
          path={[...inputs, "variableParameters"]}
        />
      )}
      <Collected node={node} />
    </>
  );
}

/** What a loop or batch gives: values of its steps gathered in lists, and its variables. */
function Collected({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const outputs = items(edit.at(OUTPUTS));
  const names = outputs.map((each) => textOf(at(each, ["name"])));
  const sources = collectable(graph, node.id, fixed);
  return (
    <Section
      title={text.form.outputs}
      path={OUTPUTS}
      aside={
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.form.addOutput}
            icon={<Plus size={16} />}
            onClick={() =>
              edit.add(OUTPUTS, {
                name: freeName(names, "output"),
                input: unsetInput(field("", "list", { item: field("", "string") })),
              })
            }
          />
        )
      }
    >
      <div className={styles.rows}>
        {outputs.map((_, index) => {
          const name = names[index] ?? "";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output keeps its place while its name is typed
            <div className={styles.row} key={index}>
              <NameField
                name={name}
                others={names.filter((_, other) => other !== index)}
                isDisabled={edit.isReadOnly}
                onChange={(to) =>
                  edit.change(text.steps.renameOutput(to), (root) =>
                    setInNode(
                      renameOutput(root, node.id, name, to),
                      node.id,
                      [...OUTPUTS, index, "name"],
                      to,
                    ),
                  )
                }
              />
              <ValueEditor
                node={node}
                label={name}
                path={[...OUTPUTS, index, "input"]}
                sources={sources}
                canBeLiteral={false}
                gathers
              />
              {!edit.isReadOnly && (
                <IconButton
                  size="compact"
                  label={text.form.removeOutput(name)}
                  icon={<Trash2 size={14} />}
                  onClick={() => edit.removeAt(OUTPUTS, index)}
                />
              )}
            </div>
          );
        })}
        {outputs.length === 0 && <p className={styles.nothing}>{text.composite.noOutputs}</p>}
      </div>
    </Section>
  );
}

export const form: NodeForm = {
  types: [LOOP, BATCH],
  Form: CompositeForm,
  inputs: "none",
  outputs: "none",
  handlesErrors: true,
};
