import { ArrowUp, Plus, Trash2 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { setInNode } from "../../commands/nodes";
import { renameOutput } from "../../commands/rename";
import { at, items, type JsonObject, textOf } from "../../document/read";
import type { Path, Value } from "../../document/tree";
import { field, fieldOf } from "../../model/field";
import { graphOf, type Placed } from "../../model/graph";
import { AGGREGATOR } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { fieldJson, typeJson, unsetInput } from "../input";
import { Section } from "../input-rows";
import { freeName, NameField } from "../name-field";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { ValueEditor } from "../value-editor";

const GROUPS: Path = ["data", "inputs", "mergeGroups"];
const OUTPUTS: Path = ["data", "outputs"];

function AggregatorForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const groups = items(edit.at(GROUPS));
  const names = groups.map((each) => textOf(at(each, ["name"])));
  function add(): void {
    const name = freeName(names, "Group");
    edit.add(GROUPS, { name, variables: [] });
    edit.add(OUTPUTS, fieldJson(field(name, "string")));
  }
  return (
    <>
      {groups.map((group, index) => {
        const name = names[index] ?? "";
        const path = [...GROUPS, index];
        const variables = items(at(group, ["variables"]));
        const types = new Set(variables.map((each) => JSON.stringify(typeJson(fieldOf(each)))));
        return (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: groups are known by their place
            key={index}
            title={text.aggregator.group(index + 1)}
            path={path}
            aside={
              !edit.isReadOnly &&
              groups.length > 1 && (
                <IconButton
                  size="compact"
                  label={text.aggregator.removeGroup(name)}
                  icon={<Trash2 size={14} />}
                  onClick={() => {
                    edit.removeAt(GROUPS, index);
                    const place = outputIndex(edit.at(OUTPUTS), name);
                    if (place >= 0) edit.removeAt(OUTPUTS, place);
                  }}
                />
              )
            }
          >
            <div className={styles.rows}>
              <NameField
                name={name}
                others={names.filter((_, other) => other !== index)}
                isDisabled={edit.isReadOnly}
                isWide
                onChange={(to) =>
                  edit.change(text.steps.renameOutput(to), (root) =>
                    renamedGroup(root, node.id, index, name, to),
                  )
                }
              />
              {variables.map((_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: candidates are known by their place
                <div className={styles.row} key={place}>
                  <ValueEditor
                    node={node}
                    label={text.aggregator.candidate(place + 1)}
                    path={[...path, "variables", place]}
                    canBeLiteral={false}
                    onChanged={(json) => place === 0 && retype(json, name)}
                  />
                  {!edit.isReadOnly && (
                    <>
                      <IconButton
                        size="compact"
                        label={text.form.up}
                        icon={<ArrowUp size={14} />}
                        disabled={place === 0}
                        onClick={() => edit.moveAt([...path, "variables"], place, place - 1)}
                      />
                      <IconButton
                        size="compact"
                        label={text.aggregator.removeCandidate(place + 1)}
                        icon={<Trash2 size={14} />}
                        onClick={() => edit.removeAt([...path, "variables"], place)}
                      />
                    </>
                  )}
                </div>
              ))}
              {types.size > 1 && <p className={styles.bad}>{text.aggregator.mixed}</p>}
              {!edit.isReadOnly && (
                <div>
                  <Button
                    size="compact"
                    kind="quiet"
                    icon={<Plus size={14} />}
                    onClick={() =>
                      edit.add([...path, "variables"], unsetInput(field("", "string")))
                    }
                  >
                    {text.aggregator.addCandidate}
                  </Button>
                </div>
              )}
            </div>
          </Section>
        );
      })}
      {!edit.isReadOnly && (
        <div className={styles.section}>
          <Button size="compact" icon={<Plus size={14} />} onClick={add}>
            {text.aggregator.addGroup}
          </Button>
        </div>
      )}
    </>
  );
  function retype(json: JsonObject, name: string): void {
    const place = outputIndex(edit.at(OUTPUTS), name);
    if (place < 0) return;
    const { value: _, ...type } = json;
    edit.set([...OUTPUTS, place], { ...type, name });
  }
}

function outputIndex(outputs: Value | undefined, name: string): number {
  return items(outputs).findIndex((each) => textOf(at(each, ["name"])) === name);
}

function renamedGroup(root: Value, id: string, index: number, from: string, to: string): Value {
  const named = setInNode(renameOutput(root, id, from, to), id, [...GROUPS, index, "name"], to);
  const node = graphOf(named).nodes.get(id);
  const place = outputIndex(node && at(node.value, OUTPUTS), from);
  return place < 0 ? named : setInNode(named, id, [...OUTPUTS, place, "name"], to);
}

export const form: NodeForm = {
  types: [AGGREGATOR],
  Form: AggregatorForm,
  inputs: "none",
  outputs: "none",
};
