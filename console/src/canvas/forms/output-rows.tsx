import { Braces, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { toast } from "../../ui/toast/toasts";
import { setInNode } from "../commands/nodes";
import { renameOutput } from "../commands/rename";
import { at, isTrue, items, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";
import { useFixedOutputs } from "../kinds";
import { type Field, field, fieldOf } from "../model/field";
import { graphOf, type Placed } from "../model/graph";
import { outputsOf } from "../model/output";
import { readersOf } from "../model/readers";
import { useResults } from "../run/run-store";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import type { Text } from "../text.en";
import { typeWord } from "../type-word";
import { useEdit } from "./edit";
import { keeping } from "./example";
import { fieldJson, typeJson } from "./input";
import { Section } from "./input-rows";
import { shows } from "./lead";
import { freeName, NameField } from "./name-field";
import styles from "./rows.module.css";
import { TypeSelect } from "./type-select";

const ExampleDialog = lazy(() => import("./example-dialog"));
const OUTPUTS: Path = ["data", "outputs"];
/** Reads JSON into its one output, of whatever kind. */
const DECODE = "59";

type Props = { node: Placed; title: string; locked?: readonly string[]; isEntry?: boolean };

/** The declared outputs of a node, with what is in objects and lists. */
export function OutputRows({ node, title, locked = [], isEntry }: Props) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const outputs = items(edit.at(OUTPUTS));
  const names = outputs.map((each) => textOf(at(each, ["name"])));
  const graph = useCanvas((state) => graphOf(state.root));
  const last = useResults(node.id).findLast((each) => each.state === "success")?.output;
  const [isShowing, setShowing] = useState(false);
  /** The place of what was added last: its name is to be written. */
  const [added, setAdded] = useState<number>();
  const isWhole = node.type === DECODE;
  function take(fields: readonly Field[]): void {
    const kept = keeping(outputs.map(fieldOf), fields);
    edit.change(text.steps.edit(node.title), (root) =>
      setInNode(root, node.id, OUTPUTS, kept.map(fieldJson)),
    );
  }
  return (
    <Section
      title={title}
      path={OUTPUTS}
      aside={
        !edit.isReadOnly && (
          <>
            {!isEntry && locked.length === 0 && (
              <IconButton
                size="compact"
                label={text.example.open}
                icon={<Braces size={16} />}
                onClick={() => setShowing(true)}
              />
            )}
            <IconButton
              size="compact"
              label={isEntry ? text.form.addInput : text.form.addOutput}
              icon={<Plus size={16} />}
              onClick={() => {
                setAdded(outputs.length);
                edit.add(
                  OUTPUTS,
                  fieldJson(field(freeName(names, isEntry ? "input" : "output"), "string")),
                );
              }}
            />
          </>
        )
      }
    >
      <Suspense>
        {isShowing && (
          <ExampleDialog
            last={isWhole ? memberOf(last, "output") : last}
            isWhole={isWhole}
            onTake={take}
            onClose={() => setShowing(false)}
          />
        )}
      </Suspense>
      <div className={styles.rows}>
        {outputs.map((each, index) => (
          <FieldRow
            // biome-ignore lint/suspicious/noArrayIndexKey: an output keeps its place while its name is typed
            key={index}
            node={node}
            value={each}
            path={[...OUTPUTS, index]}
            others={names.filter((_, other) => other !== index)}
            isLocked={locked.includes(names[index] ?? "")}
            hasDetails={isEntry ?? false}
            isNew={index === added}
            onRename={(from, to) =>
              edit.change(text.steps[isEntry ? "renameInput" : "renameOutput"](to), (root) =>
                setInNode(
                  renameOutput(root, node.id, from, to),
                  node.id,
                  [...OUTPUTS, index, "name"],
                  to,
                ),
              )
            }
            onRemove={() => {
              const readers = readersOf(graph, new Set([node.id]), names[index]);
              if (readers.length > 0) toast(text.stillRead(readers.map((each) => each.title)));
              edit.removeAt(OUTPUTS, index);
            }}
          />
        ))}
        {outputs.length === 0 && (
          <p className={styles.nothing}>
            {isEntry ? text.form.noEntryInputs : text.form.noOutputs}
          </p>
        )}
      </div>
    </Section>
  );
}

function memberOf(value: unknown, name: string): unknown {
  const members: Readonly<Record<string, unknown>> = Object(value);
  return members[name];
}

type RowProps = {
  node: Placed;
  value: Value;
  path: Path;
  others: readonly string[];
  isLocked?: boolean;
  hasDetails?: boolean;
  isNew?: boolean;
  onRename: (from: string, to: string) => void;
  onRemove: () => void;
};

function FieldRow(props: RowProps) {
  const { node, value, path, others, isLocked, hasDetails, isNew, onRename, onRemove } = props;
  const text = useText(canvasText);
  const edit = useEdit(node);
  const declared = fieldOf(value);
  const isDisabled = edit.isReadOnly || (isLocked ?? false);
  const inner =
    declared.type === "object"
      ? path
      : declared.item?.type === "object"
        ? [...path, "schema"]
        : undefined;
  const fields = inner ? items(edit.at([...inner, "schema"])) : [];
  const names = fields.map((each) => textOf(at(each, ["name"])));
  function retype(type: Field): void {
    const { schema, ...rest } = typeJson(type);
    edit.change(
      text.steps.edit(node.title),
      (root) => {
        const typed = setInNode(root, node.id, [...path, "type"], rest["type"] ?? "string");
        const kind = setInNode(typed, node.id, [...path, "assistType"], rest["assistType"]);
        return setInNode(kind, node.id, [...path, "schema"], schema);
      },
      "",
    );
  }
  return (
    <>
      <div className={styles.row} {...shows(path)}>
        <NameField
          name={declared.name}
          others={others}
          isDisabled={isDisabled}
          isWide
          isNew={isNew}
          onChange={(next) => onRename(declared.name, next)}
        />
        <TypeSelect
          label={text.form.typeOf(declared.name)}
          type={declared}
          isDisabled={isDisabled}
          onChange={retype}
        />
        {hasDetails && (
          <Checkbox
            label={text.form.required}
            isChecked={isTrue(at(value, ["required"]))}
            isDisabled={isDisabled}
            onChange={(isRequired) => edit.set([...path, "required"], isRequired)}
          />
        )}
        <span className={styles.tools}>
          {inner && !isDisabled && (
            <IconButton
              size="compact"
              label={text.form.addField(declared.name)}
              icon={<Plus size={14} />}
              onClick={() =>
                edit.add([...inner, "schema"], fieldJson(field(freeName(names, "field"), "string")))
              }
            />
          )}
          {!isDisabled && (
            <IconButton
              size="compact"
              label={text.form.removeOutput(declared.name)}
              icon={<Trash2 size={14} />}
              onClick={onRemove}
            />
          )}
        </span>
      </div>
      {hasDetails && !isLocked && (
        <Details
          node={node}
          value={value}
          path={path}
          name={declared.name}
          isDisabled={isDisabled}
        />
      )}
      {inner && fields.length > 0 && (
        <div className={styles.nested}>
          {fields.map((each, index) => (
            <FieldRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps its place while its name is typed
              key={index}
              node={node}
              value={each}
              path={[...inner, "schema", index]}
              others={names.filter((_, other) => other !== index)}
              onRename={(_, to) => edit.set([...inner, "schema", index, "name"], to)}
              onRemove={() => edit.removeAt([...inner, "schema"], index)}
            />
          ))}
        </div>
      )}
    </>
  );
}

type DetailProps = { node: Placed; value: Value; path: Path; name: string; isDisabled: boolean };

function Details({ node, value, path, name, isDisabled }: DetailProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const set = (key: string, said: string) =>
    edit.set([...path, key], said === "" ? undefined : said);
  return (
    <div className={styles.nested}>
      <input
        className={`${styles.name} ${styles.grow}`}
        aria-label={text.form.descriptionOf(name)}
        placeholder={text.form.description}
        disabled={isDisabled}
        value={textOf(at(value, ["description"]))}
        onChange={(event) => set("description", event.target.value)}
      />
      <input
        className={`${styles.name} ${styles.grow}`}
        aria-label={text.form.defaultOf(name)}
        placeholder={text.form.defaultValue}
        disabled={isDisabled}
        {...shows([...path, "defaultValue"])}
        value={textOf(at(value, ["defaultValue"]))}
        onChange={(event) => set("defaultValue", event.target.value)}
      />
    </div>
  );
}

/** Outputs that a kind has by itself: to be read, not changed. */
export function FixedOutputRows({ node, title }: { node: Placed; title: string }) {
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const outputs = outputsOf(node, fixed);
  if (outputs.length === 0) return null;
  return (
    <Section title={title}>
      <div className={styles.rows}>{outputs.map((each) => shown(each, text))}</div>
    </Section>
  );
}

function shown(each: Field, text: Text) {
  const inside = each.type === "list" ? each.item : each;
  return (
    <div key={each.name} className={styles.rows}>
      <div className={styles.row}>
        <span>{each.name}</span>
        <span className={styles.chip}>{typeWord(each, text)}</span>
        {each.description && <span className={styles.hint}>{each.description}</span>}
      </div>
      {inside && inside.fields.length > 0 && (
        <div className={styles.nested}>{inside.fields.map((field) => shown(field, text))}</div>
      )}
    </div>
  );
}
