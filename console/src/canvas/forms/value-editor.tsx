import { Link2, ListTree, Plus, Trash2, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { Popover } from "../../ui/popover/popover";
import { at, items, type JsonObject, textOf } from "../document/read";
import type { Path } from "../document/tree";
import { useFixedOutputs } from "../kinds";
import { type Field, field, fitOf, wantedType } from "../model/field";
import { graphOf, type Placed } from "../model/graph";
import { resolved, type Source, sourcesFor } from "../model/output";
import { type Reference, referenceOf } from "../model/reference";
import { variablesIn } from "../model/variables";
import { useDeclaredVariables } from "../resources";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { typeWord } from "../type-word";
import { KindIcon } from "../view/kind-icon";
import { useEdit } from "./edit";
import {
  assembledInput,
  literalInput,
  literalOf,
  referenceInput,
  unsetInput,
  variableInput,
} from "./input";
import { shows } from "./lead";
import { LiteralValue, saidOf } from "./literal-value";
import { freeName, NameField } from "./name-field";
import rows from "./rows.module.css";
import { TypeSelect } from "./type-select";
import styles from "./value-editor.module.css";
import { type Choice, VariablePicker } from "./variable-picker";

type Props = {
  node: Placed;
  label: string;
  /** Where the input stands in the node. */
  path: Path;
  /** The type stays whatever is chosen; without it the input takes that of its source. */
  wanted?: Field | undefined;
  sources?: readonly Source[] | undefined;
  canBeLiteral?: boolean;
  /** Values of the steps inside become lists of them. */
  gathers?: boolean;
  onChanged?: (json: JsonObject) => void;
};

/** What an input is filled with: a fixed value, a place in another node, or values put together. */
export function ValueEditor(props: Props) {
  const { node, label, path, wanted, canBeLiteral = true, gathers, onChanged } = props;
  const text = useText(canvasText);
  const edit = useEdit(node);
  const input = edit.at(path);
  const type = wanted ?? wantedType(input, "");
  const reference = referenceOf(input);
  const isDisabled = edit.isReadOnly;
  const [isOpen, setOpen] = useState(false);
  function change(json: JsonObject): void {
    edit.set(path, json);
    onChanged?.(json);
  }
  function choose({ variable, blockId, segments, field: source }: Choice): void {
    const isGathered = gathers && blockId !== node.id;
    const taken = isGathered ? field("", "list", { item: source }) : (wanted ?? source);
    change(
      variable
        ? variableInput(taken, variable, segments)
        : referenceInput(taken, blockId, segments),
    );
  }
  const picker = (
    <Picker
      {...{ node, label, wanted, isOpen }}
      sources={props.sources}
      onOpen={setOpen}
      onChoose={choose}
    />
  );
  const clear = (
    <button
      type="button"
      className={styles.clear}
      disabled={isDisabled}
      aria-label={text.form.clearValue(label)}
      onClick={() => change(canBeLiteral ? literalInput(type, empty(type)) : unsetInput(type))}
    >
      <X size={12} />
    </button>
  );
  if (reference) {
    return (
      <div className={styles.editor} {...shows(path)}>
        <ReferenceChip node={node} reference={reference} type={type} gathers={gathers}>
          {clear}
        </ReferenceChip>
        {picker}
      </div>
    );
  }
  if (textOf(at(input, ["value", "type"])) === "object_ref") {
    return (
      <div className={classes(styles.editor, styles.tall)} {...shows(path)}>
        <Members node={node} label={label} path={path} isTyped={wanted !== undefined} />
        {clear}
      </div>
    );
  }
  if (!canBeLiteral) {
    return (
      <div className={styles.editor} {...shows(path)}>
        <button
          type="button"
          className={classes(styles.chip, styles.none)}
          disabled={isDisabled}
          onClick={() => setOpen(true)}
        >
          {text.form.chooseValue}
        </button>
        {picker}
      </div>
    );
  }
  const isWritten = type.type === "list" || type.type === "object";
  return (
    <>
      {!wanted && (
        <TypeSelect
          label={text.form.typeOf(label)}
          type={type}
          isDisabled={isDisabled}
          onChange={(next) => change(literalInput(next, literalOf(saidOf(input), next)))}
        />
      )}
      <div className={classes(styles.editor, isWritten && styles.tall)} {...shows(path)}>
        <LiteralValue
          label={label}
          type={type}
          input={input}
          isDisabled={isDisabled}
          onChange={change}
        />
        {type.type === "object" && !isDisabled && (
          <button
            type="button"
            className={styles.clear}
            aria-label={text.form.assemble(label)}
            title={text.form.assemble(label)}
            onClick={() => change(assembledInput(type))}
          >
            <ListTree size={14} />
          </button>
        )}
        {picker}
      </div>
    </>
  );
}

type PickerProps = {
  node: Placed;
  label: string;
  wanted: Field | undefined;
  sources: readonly Source[] | undefined;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChoose: (choice: Choice) => void;
};

function Picker({ node, label, wanted, sources, isOpen, onOpen, onChoose }: PickerProps) {
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const declared = useDeclaredVariables();
  return (
    <Popover
      label={text.picker.title}
      side="bottom"
      align="end"
      isOpen={isOpen}
      onOpenChange={onOpen}
      trigger={
        <button
          type="button"
          className={styles.link}
          aria-label={text.picker.open(label)}
          disabled={isReadOnly}
        >
          <Link2 size={14} />
        </button>
      }
    >
      <VariablePicker
        sources={sources ?? (isOpen ? sourcesFor(graph, node.id, fixed) : [])}
        variables={isOpen && !sources ? variablesIn(graph, declared) : []}
        wanted={wanted}
        onChoose={(choice) => {
          onOpen(false);
          onChoose(choice);
        }}
      />
    </Popover>
  );
}

type ChipProps = {
  node: Placed;
  reference: Reference;
  type: Field;
  gathers: boolean | undefined;
  children: React.ReactNode;
};

/** The place that is read, with its type and what happens to its value on the way. */
function ReferenceChip({ node, reference, type, gathers, children }: ChipProps) {
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const found = resolved(graph, node.id, reference, fixed);
  const isGlobal = reference.source !== "block-output";
  const fit = found?.field && !gathers ? fitOf(found.field, type) : "exact";
  const remarks = [
    found?.isFirst && text.picker.first,
    fit !== "converts" && text.picker.fits[fit],
  ].filter(Boolean);
  const from = isGlobal ? text.variables[reference.source] : found?.node.title;
  return (
    <span
      className={classes(styles.chip, !isGlobal && !found?.field && styles.broken)}
      title={[from ?? text.card.gone, ...reference.segments].join(".")}
    >
      {found && <KindIcon type={found.node.type} />}
      <span className={styles.path}>
        <span className={styles.from}>{from ?? text.card.gone}</span>
        {reference.segments.length > 0 && `.${reference.segments.join(".")}`}
      </span>
      {found?.field && <span className={styles.type}>{typeWord(found.field, text)}</span>}
      {remarks.length > 0 && (
        <span
          role="img"
          className={styles.remark}
          aria-label={remarks.join(", ")}
          title={remarks.join(", ")}
        >
          <TriangleAlert size={12} />
        </span>
      )}
      {children}
    </span>
  );
}

type MembersProps = { node: Placed; label: string; path: Path; isTyped: boolean };

/** The fields of an object, each with a value of its own. */
function Members({ node, label, path, isTyped }: MembersProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const list = [...path, "schema"];
  const members = items(edit.at(list));
  const names = members.map((each) => textOf(at(each, ["name"])));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not shrink with the panel
    <div role="group" aria-label={label} className={styles.members}>
      {members.map((each, index) => {
        const name = names[index] ?? "";
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps its place while its name is typed
          <div className={rows.rows} key={index}>
            <div className={rows.row}>
              <NameField
                name={name}
                others={names.filter((_, other) => other !== index)}
                isDisabled={edit.isReadOnly}
                isWide
                onChange={(next) => edit.set([...list, index, "name"], next)}
              />
              {!edit.isReadOnly && (
                <button
                  type="button"
                  className={styles.clear}
                  aria-label={text.form.removeInput(name)}
                  onClick={() => edit.removeAt(list, index)}
                >
                  <Trash2 size={12} />
                </button>
              )}
            </div>
            <div className={rows.row}>
              <ValueEditor
                node={node}
                label={`${label}.${name}`}
                path={[...list, index, "input"]}
                wanted={isTyped ? wantedType(at(each, ["input"]), name) : undefined}
              />
            </div>
          </div>
        );
      })}
      {!edit.isReadOnly && (
        <button
          type="button"
          className={styles.add}
          onClick={() =>
            edit.add(list, {
              name: freeName(names, "field"),
              input: unsetInput(field("", "string")),
            })
          }
        >
          <Plus size={12} />
          {text.form.addField(label)}
        </button>
      )}
    </div>
  );
}

function empty({ type }: Field): string | boolean {
  return type === "boolean" ? false : "";
}
