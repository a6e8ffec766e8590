import { Plus, Trash2 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { at, items, type JsonObject, textOf } from "../../document/read";
import { field, wantedType } from "../../model/field";
import { ancestors, graphOf, type Placed } from "../../model/graph";
import { LOOP, SET_VARIABLE } from "../../model/kind";
import { iterationFields } from "../../model/output";
import { referenceOf } from "../../model/reference";
import { useCanvas } from "../../store";
import { canvasText } from "../../text";
import { typeWord } from "../../type-word";
import { useEdit } from "../edit";
import { referenceInput, unsetInput, variableInput } from "../input";
import { Section } from "../input-rows";
import { shows } from "../lead";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { ValueEditor } from "../value-editor";

const ROWS = ["data", "inputs", "inputParameters"];
const GLOBALS = ["global_variable_app", "global_variable_user"] as const;
const ASSIGN = "40";

/** Rows of a variable and what it becomes. */
function AssignForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const rows = items(edit.at(ROWS));
  const isLoop = node.type === SET_VARIABLE;
  const string = field("", "string");
  function add(): void {
    edit.add(
      ROWS,
      isLoop
        ? { left: unsetInput(string), right: unsetInput(string) }
        : { name: "", left: globalInput("global_variable_user", ""), input: unsetInput(string) },
    );
  }
  return (
    <Section
      title={text.assign.title}
      path={ROWS}
      aside={
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.assign.add}
            icon={<Plus size={16} />}
            onClick={add}
          />
        )
      }
    >
      <div className={styles.rows}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: assignments are known by their place
          <div className={styles.row} key={index} {...shows([...ROWS, index])}>
            {isLoop ? (
              <LoopVariable node={node} index={index} />
            ) : (
              <GlobalVariable node={node} index={index} />
            )}
            <span className={styles.hint} aria-hidden="true">
              ←
            </span>
            <ValueEditor
              node={node}
              label={text.assign.value}
              path={[...ROWS, index, isLoop ? "right" : "input"]}
              wanted={isLoop ? wantedType(at(row, ["left"]), "") : undefined}
            />
            {!edit.isReadOnly && (
              <IconButton
                size="compact"
                label={text.assign.remove(index + 1)}
                icon={<Trash2 size={14} />}
                onClick={() => edit.removeAt(ROWS, index)}
              />
            )}
          </div>
        ))}
        {rows.length === 0 && <p className={styles.nothing}>{text.assign.nothing}</p>}
      </div>
    </Section>
  );
}

function LoopVariable({ node, index }: { node: Placed; index: number }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const graph = useCanvas((state) => graphOf(state.root));
  const loops = ancestors(graph, node.id)
    .flatMap((id) => graph.nodes.get(id) ?? [])
    .filter((each) => each.type === LOOP);
  const choices = loops.flatMap((loop) => {
    const elements = items(at(loop.value, ["data", "inputs", "variableParameters"])).map((each) =>
      textOf(at(each, ["name"])),
    );
    return iterationFields(loop)
      .filter((each) => elements.includes(each.name))
      .map((each) => ({ key: `${loop.id}/${each.name}`, loop, field: each }));
  });
  const now = referenceOf(edit.at([...ROWS, index, "left"]));
  return (
    <select
      className={styles.name}
      aria-label={text.assign.variable}
      disabled={edit.isReadOnly}
      value={now ? `${now.blockId}/${now.segments.join(".")}` : ""}
      onChange={(event) => {
        const found = choices.find((each) => each.key === event.target.value);
        if (found) {
          edit.set(
            [...ROWS, index, "left"],
            referenceInput(found.field, found.loop.id, [found.field.name]),
          );
        }
      }}
    >
      <option value="">{text.assign.choose}</option>
      {choices.map((each) => (
        <option key={each.key} value={each.key}>
          {each.field.name} · {typeWord(each.field, text)}
        </option>
      ))}
    </select>
  );
}

function globalInput(source: (typeof GLOBALS)[number], name: string): JsonObject {
  return variableInput(field("", "string"), source, name ? [name] : []);
}

function GlobalVariable({ node, index }: { node: Placed; index: number }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const path = [...ROWS, index];
  const content = edit.at([...path, "left", "value", "content"]);
  const source =
    GLOBALS.find((each) => each === textOf(at(content, ["source"]))) ?? "global_variable_user";
  const name = textOf(at(content, ["path", 0]));
  function put(kind: (typeof GLOBALS)[number], said: string): void {
    edit.set([...path, "left"], globalInput(kind, said));
    edit.set([...path, "name"], said);
    if (said) edit.set(["data", "inputs", "variableTypeMap", said], kind);
  }
  return (
    <>
      <select
        className={styles.name}
        aria-label={text.assign.scope}
        disabled={edit.isReadOnly}
        value={source}
        onChange={(event) => {
          const next = GLOBALS.find((each) => each === event.target.value);
          if (next) put(next, name);
        }}
      >
        {GLOBALS.map((each) => (
          <option key={each} value={each}>
            {text.variables[each]}
          </option>
        ))}
      </select>
      <input
        className={styles.name}
        aria-label={text.assign.variable}
        placeholder={text.assign.variable}
        disabled={edit.isReadOnly}
        value={name}
        onChange={(event) => put(source, event.target.value)}
      />
    </>
  );
}

export const form: NodeForm = {
  types: [SET_VARIABLE, ASSIGN],
  Form: AssignForm,
  inputs: "none",
  outputs: "none",
};
