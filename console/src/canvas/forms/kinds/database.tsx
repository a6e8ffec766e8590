import { Plus, Trash2 } from "lucide-react";
import type { AdminField } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { Combobox } from "../../../ui/combobox/combobox";
import { NumberField } from "../../../ui/number/number-field";
import { Segmented } from "../../../ui/segmented/segmented";
import { setInNode } from "../../commands/nodes";
import { at, isTrue, items, numberOf, textOf } from "../../document/read";
import type { Path, Value } from "../../document/tree";
import { type Field, field } from "../../model/field";
import type { Placed } from "../../model/graph";
import { useTables } from "../../resources";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { fieldJson, literalInput, unsetInput } from "../input";
import { InputRows, Section } from "../input-rows";
import { shows } from "../lead";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { TemplateField } from "../template-field";
import { ValueEditor } from "../value-editor";

const SQL = "12";
const UPDATE = "42";
const QUERY = "43";
const DELETE = "44";
const INSERT = "46";
const INPUTS: Path = ["data", "inputs"];
const DATABASE: Path = [...INPUTS, "databaseInfoList", 0, "databaseInfoID"];
const WHERE: Readonly<Record<string, Path>> = {
  [UPDATE]: [...INPUTS, "updateParam", "condition"],
  [QUERY]: [...INPUTS, "selectParam", "condition"],
  [DELETE]: [...INPUTS, "deleteParam", "condition"],
};
const VALUES: Readonly<Record<string, Path>> = {
  [UPDATE]: [...INPUTS, "updateParam", "fieldInfo"],
  [INSERT]: [...INPUTS, "insertParam", "fieldInfo"],
};
const OPERATIONS = [
  "EQUAL",
  "NOT_EQUAL",
  "GREATER_THAN",
  "GREATER_EQUAL",
  "LESS_THAN",
  "LESS_EQUAL",
  "LIKE",
  "NOT_LIKE",
  "IN",
  "NOT_IN",
  "IS_NULL",
  "IS_NOT_NULL",
] as const;
const ALONE = new Set<string>(["IS_NULL", "IS_NOT_NULL"]);
const STRING = field("", "string");

function DatabaseForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const { tables: all } = useTables();
  const id = textOf(edit.at(DATABASE));
  const table = all.find((each) => each.id === id);
  const options = all.map((each) => ({
    value: each.id,
    label: each.table_name,
    note: each.table_desc || undefined,
  }));
  const fields = table?.fields ?? [];
  function choose(wanted: string): void {
    const found = all.find((each) => each.id === wanted);
    edit.change(text.steps.edit(node.title), (root) => {
      const set = setInNode(
        root,
        node.id,
        [...INPUTS, "databaseInfoList"],
        [{ databaseInfoID: wanted }],
      );
      if (!found) return set;
      const row = field("outputList", "list", {
        item: field("", "object", { fields: found.fields.map(fieldFrom) }),
      });
      const outputs = [fieldJson(row), fieldJson(field("rowNum", "integer"))];
      return setInNode(set, node.id, ["data", "outputs"], outputs);
    });
  }
  const where = WHERE[node.type];
  const values = VALUES[node.type];
  return (
    <>
      <Section title={text.database.table} path={[...INPUTS, "databaseInfoList"]}>
        <Combobox
          label={text.database.table}
          isLabelHidden
          value={
            options.find((each) => each.value === id) ?? (id ? { value: id, label: id } : undefined)
          }
          options={options}
          placeholder={text.database.choose}
          isDisabled={edit.isReadOnly}
          onChange={(option) => option && choose(option.value)}
        />
      </Section>
      {node.type === SQL && (
        <>
          <InputRows node={node} title={text.form.inputs} />
          <Section title={text.database.sql}>
            <TemplateField
              node={node}
              label={text.database.sql}
              path={[...INPUTS, "sql"]}
              hint={text.database.sqlHint}
              value={textOf(edit.at([...INPUTS, "sql"]))}
              words={table ? [table.table_name, ...fields.map((each) => each.name)] : []}
              isDisabled={edit.isReadOnly}
              onChange={(said) => edit.set([...INPUTS, "sql"], said)}
            />
          </Section>
        </>
      )}
      {values && <Values node={node} path={values} fields={fields} />}
      {where && <Conditions node={node} path={where} fields={fields} />}
      {node.type === QUERY && <Selection node={node} fields={fields} />}
      <OutputRows node={node} title={text.form.outputs} />
    </>
  );
}

type PartProps = { node: Placed; path: Path; fields: readonly AdminField[] };

/** What is written into the fields of a row. */
function Values({ node, path, fields }: PartProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const rows = items(edit.at(path));
  const idOf = (row: Value) => textOf(named(row, "fieldID"));
  const taken = new Set(rows.map(idOf));
  const next = fields.find((each) => !each.is_system && !taken.has(String(each.id)));
  return (
    <Section
      title={text.database.values}
      path={path}
      aside={
        next &&
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.database.addValue}
            icon={<Plus size={16} />}
            onClick={() =>
              edit.add(path, [
                { name: "fieldID", input: literalInput(STRING, String(next.id)) },
                { name: "fieldValue", input: unsetInput(fieldFrom(next)) },
              ])
            }
          />
        )
      }
    >
      <div className={styles.rows}>
        {rows.map((row, index) => {
          const found = fields.find((each) => String(each.id) === idOf(row));
          const place = items(row).findIndex((each) => textOf(at(each, ["name"])) === "fieldValue");
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: values are known by their place
            <div className={styles.row} key={index}>
              <span className={styles.fixed}>{found?.name ?? idOf(row)}</span>
              <ValueEditor
                node={node}
                label={found?.name ?? ""}
                wanted={found && fieldFrom(found)}
                path={[...path, index, place, "input"]}
              />
              {!edit.isReadOnly && (
                <IconButton
                  size="compact"
                  label={text.database.removeValue(found?.name ?? "")}
                  icon={<Trash2 size={14} />}
                  onClick={() => edit.removeAt(path, index)}
                />
              )}
            </div>
          );
        })}
        {rows.length === 0 && <p className={styles.nothing}>{text.database.noValues}</p>}
      </div>
    </Section>
  );
}

/** Which rows are meant. */
function Conditions({ node, path, fields }: PartProps) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const list: Path = [...path, "conditionList"];
  const rows = items(edit.at(list));
  const isAny = textOf(edit.at([...path, "logic"])).toUpperCase() === "OR";
  const first = fields[0];
  function add(): void {
    if (!first) return;
    const row = [
      { name: "left", input: literalInput(STRING, first.name) },
      { name: "operation", input: literalInput(STRING, "EQUAL") },
      { name: "right", input: unsetInput(fieldFrom(first)) },
    ];
    if (edit.at(path)?.kind !== "object") edit.set(path, { conditionList: [row], logic: "AND" });
    else edit.add(list, row);
  }
  return (
    <Section
      title={text.database.where}
      path={path}
      aside={
        first &&
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={text.selector.addCondition}
            icon={<Plus size={16} />}
            onClick={add}
          />
        )
      }
    >
      <div className={styles.rows}>
        {rows.length > 1 && (
          <Segmented
            label={text.selector.logic}
            value={isAny ? "or" : "and"}
            options={[
              { value: "and", label: text.selector.and },
              { value: "or", label: text.selector.or },
            ]}
            onChange={(value) => edit.set([...path, "logic"], value.toUpperCase())}
          />
        )}
        {rows.map((row, index) => {
          const here: Path = [...list, index];
          const left = textOf(named(row, "left"));
          const operation = textOf(named(row, "operation"));
          const found = fields.find((each) => each.name === left);
          const place = (name: string) =>
            items(row).findIndex((each) => textOf(at(each, ["name"])) === name);
          const put = (name: string, said: string) =>
            edit.set([...here, place(name), "input", "value", "content"], said);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are known by their place
            <div className={styles.card} key={index} {...shows(here)}>
              <div className={styles.row}>
                <select
                  className={`${styles.name} ${styles.grow}`}
                  aria-label={text.database.field}
                  disabled={edit.isReadOnly}
                  value={left}
                  onChange={(event) => put("left", event.target.value)}
                >
                  {!found && <option value={left}>{left}</option>}
                  {fields.map((each) => (
                    <option key={each.id} value={each.name}>
                      {each.name}
                    </option>
                  ))}
                </select>
                <select
                  className={styles.name}
                  aria-label={text.selector.operator}
                  disabled={edit.isReadOnly}
                  value={operation}
                  onChange={(event) => put("operation", event.target.value)}
                >
                  {OPERATIONS.map((each) => (
                    <option key={each} value={each}>
                      {text.database.operations[each]}
                    </option>
                  ))}
                </select>
                {!edit.isReadOnly && (
                  <IconButton
                    size="compact"
                    label={text.selector.removeCondition}
                    icon={<Trash2 size={14} />}
                    onClick={() => edit.removeAt(list, index)}
                  />
                )}
              </div>
              {!ALONE.has(operation) && place("right") >= 0 && (
                <div className={styles.row}>
                  <ValueEditor
                    node={node}
                    label={text.selector.right}
                    path={[...here, place("right"), "input"]}
                    wanted={found && fieldFrom(found)}
                  />
                </div>
              )}
            </div>
          );
        })}
        {rows.length === 0 && (
          <p className={node.type === QUERY ? styles.nothing : styles.bad}>
            {node.type === QUERY ? text.database.allRows : text.database.needsCondition}
          </p>
        )}
      </div>
    </Section>
  );
}

/** Which columns come, in which order, and how many rows at most. */
function Selection({ node, fields }: { node: Placed; fields: readonly AdminField[] }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const columns: Path = [...INPUTS, "selectParam", "fieldList"];
  const order: Path = [...INPUTS, "selectParam", "orderByList"];
  const chosen = new Map(
    items(edit.at(columns)).map((each, index) => [textOf(at(each, ["fieldID"])), index]),
  );
  const first = items(edit.at(order))[0];
  const by = textOf(at(first, ["fieldID"]));
  const isUp = isTrue(at(first, ["isAsc"]));
  return (
    <Section title={text.database.columns} path={[...INPUTS, "selectParam"]}>
      <div className={styles.stack}>
        <div className={styles.chips}>
          {fields.map((each) => {
            const place = chosen.get(String(each.id));
            return (
              <label key={each.id} className={styles.chip}>
                <input
                  type="checkbox"
                  checked={place !== undefined}
                  disabled={edit.isReadOnly}
                  onChange={() =>
                    place === undefined
                      ? edit.add(columns, { fieldID: each.id, isDistinct: false })
                      : edit.removeAt(columns, place)
                  }
                />{" "}
                {each.name}
              </label>
            );
          })}
        </div>
        <div className={styles.row}>
          <select
            className={`${styles.name} ${styles.grow}`}
            aria-label={text.database.order}
            disabled={edit.isReadOnly}
            value={by ? `${by}/${isUp ? "up" : "down"}` : ""}
            onChange={(event) => {
              const [id, way] = event.target.value.split("/");
              edit.set(order, id ? [{ fieldID: Number(id), isAsc: way === "up" }] : []);
            }}
          >
            <option value="">{text.database.noOrder}</option>
            {fields.flatMap((each) => [
              <option key={`${each.id}/up`} value={`${each.id}/up`}>
                {text.database.up(each.name)}
              </option>,
              <option key={`${each.id}/down`} value={`${each.id}/down`}>
                {text.database.down(each.name)}
              </option>,
            ])}
          </select>
        </div>
        <NumberField
          label={text.database.limit}
          value={numberOf(edit.at([...INPUTS, "selectParam", "limit"]))}
          min={1}
          max={1000}
          isDisabled={edit.isReadOnly}
          onChange={(value) => edit.set([...INPUTS, "selectParam", "limit"], value ?? 100)}
        />
      </div>
    </Section>
  );
}

/** The fixed value of a named part of a row. */
function named(row: Value, name: string): Value | undefined {
  const found = items(row).find((each) => textOf(at(each, ["name"])) === name);
  return at(found, ["input", "value", "content"]);
}

function fieldFrom({ name, type, desc }: AdminField): Field {
  const kind = type === 2 ? "integer" : type === 4 ? "float" : type === 5 ? "boolean" : "string";
  return field(name, kind, { description: desc, assistType: type === 3 ? 10000 : 0 });
}

export const form: NodeForm = {
  types: [SQL, UPDATE, QUERY, DELETE, INSERT],
  Form: DatabaseForm,
  inputs: "none",
  outputs: "none",
  handlesErrors: true,
};
