import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Segmented } from "../../../ui/segmented/segmented";
import { moveBranch, removeBranch } from "../../commands/branches";
import { at, items, type JsonObject, numberOf } from "../../document/read";
import type { Path } from "../../document/tree";
import { useFixedOutputs } from "../../kinds";
import { type Field, type FieldType, field, wantedType } from "../../model/field";
import { graphOf, type Placed } from "../../model/graph";
import { SELECTOR } from "../../model/kind";
import { resolved } from "../../model/output";
import { referenceOf } from "../../model/reference";
import { useCanvas } from "../../store";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { literalInput, unsetInput } from "../input";
import { Section } from "../input-rows";
import { shows } from "../lead";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { ValueEditor } from "../value-editor";

const BRANCHES: Path = ["data", "inputs", "branches"];
const OR = 1;
const AND = 2;

/** Operators by the type on the left; those for all come last. */
const OPERATORS: Readonly<Record<FieldType, readonly number[]>> = {
  string: [1, 2, 7, 8, 3, 4, 5, 6, 9, 10],
  integer: [1, 2, 13, 14, 15, 16, 9, 10],
  float: [1, 2, 13, 14, 15, 16, 9, 10],
  boolean: [11, 12, 1, 2, 9, 10],
  object: [7, 8, 9, 10],
  list: [7, 8, 3, 4, 5, 6, 9, 10],
};
const ALONE = new Set([9, 10, 11, 12]);
const OF_LENGTH = new Set([3, 4, 5, 6]);

function newCondition(): JsonObject {
  return {
    operator: 1,
    left: { input: unsetInput(field("", "string")) },
    right: { input: literalInput(field("", "string"), "") },
  };
}

function SelectorForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const branches = items(edit.at(BRANCHES));
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  function move(from: number, to: number): void {
    edit.change(text.steps.edit(node.title), (root) =>
      moveBranch(root, node.id, BRANCHES, from, to),
    );
  }
  return (
    <Section
      title={text.selector.branches}
      path={BRANCHES}
      aside={
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.selector.addBranch}
            icon={<Plus size={16} />}
            onClick={() =>
              edit.add(BRANCHES, { condition: { logic: AND, conditions: [newCondition()] } })
            }
          />
        )
      }
    >
      <div className={styles.rows}>
        {branches.map((_, index) => (
          <Branch
            // biome-ignore lint/suspicious/noArrayIndexKey: branches are known by their place
            key={index}
            node={node}
            index={index}
            count={branches.length}
            isOver={dragged !== undefined && over === index && dragged !== index}
            onMove={(to) => move(index, to)}
            drag={{
              onStart: () => setDragged(index),
              onOver: () => {
                if (dragged === undefined) return false;
                setOver(index);
                return true;
              },
              onDrop: () => dragged !== undefined && move(dragged, index),
              onEnd: () => {
                setDragged(undefined);
                setOver(undefined);
              },
            }}
          />
        ))}
        <p className={styles.hint}>{text.selector.otherwise}</p>
      </div>
    </Section>
  );
}

type BranchProps = {
  node: Placed;
  index: number;
  count: number;
  /** Another one is held above it. */
  isOver: boolean;
  onMove: (to: number) => void;
  drag: {
    readonly onStart: () => void;
    readonly onOver: () => boolean;
    readonly onDrop: () => void;
    readonly onEnd: () => void;
  };
};

function Branch({ node, index, count, isOver, onMove, drag }: BranchProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const path = [...BRANCHES, index, "condition"];
  const conditions = items(edit.at([...path, "conditions"]));
  const isAny = numberOf(edit.at([...path, "logic"])) === OR;
  return (
    <fieldset
      className={styles.card}
      {...shows([...BRANCHES, index])}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (drag.onOver()) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        drag.onDrop();
      }}
    >
      <div className={styles.row}>
        {!edit.isReadOnly && count > 1 && (
          <span
            className={styles.grip}
            aria-hidden="true"
            title={text.selector.drag}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", String(index + 1));
              drag.onStart();
            }}
            onDragEnd={drag.onEnd}
          >
            <GripVertical size={14} />
          </span>
        )}
        <legend className={styles.heading}>
          {index === 0 ? text.selector.first : text.selector.next(index + 1)}
        </legend>
        {!edit.isReadOnly && (
          <span className={styles.tools}>
            <IconButton
              size="compact"
              label={text.form.up}
              icon={<ArrowUp size={14} />}
              disabled={index === 0}
              onClick={() => onMove(index - 1)}
            />
            <IconButton
              size="compact"
              label={text.form.down}
              icon={<ArrowDown size={14} />}
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            />
            <IconButton
              size="compact"
              label={text.selector.removeBranch(index + 1)}
              icon={<Trash2 size={14} />}
              disabled={count === 1}
              onClick={() =>
                edit.change(text.steps.edit(node.title), (root) =>
                  removeBranch(root, node.id, BRANCHES, index),
                )
              }
            />
          </span>
        )}
      </div>
      {conditions.length > 1 && (
        <Segmented
          label={text.selector.logic}
          value={isAny ? "or" : "and"}
          options={[
            { value: "and", label: text.selector.and },
            { value: "or", label: text.selector.or },
          ]}
          onChange={(value) => edit.set([...path, "logic"], value === "or" ? OR : AND)}
        />
      )}
      {conditions.map((_, place) => (
        <Condition
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions are known by their place
          key={place}
          node={node}
          path={[...path, "conditions", place]}
          onRemove={
            conditions.length > 1 ? () => edit.removeAt([...path, "conditions"], place) : undefined
          }
        />
      ))}
      {!edit.isReadOnly && (
        <div>
          <Button
            size="compact"
            kind="quiet"
            icon={<Plus size={14} />}
            onClick={() => edit.add([...path, "conditions"], newCondition())}
          >
            {text.selector.addCondition}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type ConditionProps = { node: Placed; path: Path; onRemove: (() => void) | undefined };

function Condition({ node, path, onRemove }: ConditionProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const value = edit.at(path);
  const left = at(value, ["left", "input"]);
  const reference = referenceOf(left);
  const source = reference && resolved(graph, node.id, reference, fixed);
  const type: Field = source?.field ?? wantedType(left, "");
  const operator = numberOf(at(value, ["operator"])) ?? 1;
  const offered = OPERATORS[type.type];
  const all = offered.includes(operator) ? offered : [operator, ...offered];
  const right = OF_LENGTH.has(operator)
    ? field("", "integer")
    : operator === 7 || operator === 8
      ? (type.item ?? field("", "string"))
      : { ...type, name: "" };
  return (
    <div className={styles.rows} {...shows(path)}>
      <div className={styles.row}>
        <ValueEditor node={node} label={text.selector.left} path={[...path, "left", "input"]} />
        {onRemove && !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.selector.removeCondition}
            icon={<Trash2 size={14} />}
            onClick={onRemove}
          />
        )}
      </div>
      <div className={styles.row}>
        <select
          className={styles.name}
          aria-label={text.selector.operator}
          disabled={edit.isReadOnly}
          aria-invalid={!offered.includes(operator) || undefined}
          value={operator}
          onChange={(event) => {
            const next = Number(event.target.value);
            edit.set([...path, "operator"], next);
            if (ALONE.has(next)) edit.set([...path, "right"], undefined);
            else if (!at(value, ["right", "input"])) {
              edit.set([...path, "right"], { input: literalInput(right, "") });
            }
          }}
        >
          {all.map((each) => (
            <option key={each} value={each}>
              {text.operators[each]}
            </option>
          ))}
        </select>
        {!ALONE.has(operator) && (
          <ValueEditor
            node={node}
            label={text.selector.right}
            path={[...path, "right", "input"]}
            wanted={right}
          />
        )}
      </div>
      {!offered.includes(operator) && <p className={styles.bad}>{text.selector.clash}</p>}
    </div>
  );
}

export const form: NodeForm = {
  types: [SELECTOR],
  Form: SelectorForm,
  inputs: "none",
  outputs: "none",
};
