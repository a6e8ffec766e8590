import { asRecord, isJson, readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { TextArea } from "../../ui/text-field/text-area";
import { numberOf, textOf } from "../document/read";
import { useFixedOutputs } from "../kinds";
import type { Field } from "../model/field";
import type { Placed } from "../model/graph";
import { LLM } from "../model/kind";
import { outputsOf } from "../model/output";
import { canvasText } from "../text";
import { useEdit } from "./edit";
import { Section } from "./input-rows";
import { ModelField } from "./model-field";
import styles from "./rows.module.css";

const SETTING = ["data", "inputs", "settingOnError"];
const WAYS = ["1", "2", "3"] as const;

/** What happens when a node fails, how often it tries and how long it may take. */
export function ErrorSection({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const fixed = useFixedOutputs();
  const kind = numberOf(edit.at([...SETTING, "processType"])) ?? 1;
  const way = WAYS.find((each) => each === String(kind)) ?? "1";
  const data = textOf(edit.at([...SETTING, "dataOnErr"]));
  const retries = numberOf(edit.at([...SETTING, "retryTimes"])) ?? 0;
  const limit = numberOf(edit.at([...SETTING, "timeoutMs"])) ?? 0;
  function choose(next: (typeof WAYS)[number]): void {
    edit.set([...SETTING, "processType"], Number(next));
    edit.set([...SETTING, "switch"], next !== "1");
    if (next !== "1" && data === "") {
      const declared = outputsOf(node, fixed).filter(
        (each) => !["isSuccess", "errorBody"].includes(each.name),
      );
      edit.set([...SETTING, "dataOnErr"], JSON.stringify(emptyOf(declared), null, 2));
    }
  }
  return (
    <Section title={text.errors.title} path={SETTING}>
      <div className={styles.stack}>
        <Select
          label={text.errors.way}
          value={way}
          isDisabled={edit.isReadOnly}
          options={WAYS.map((value) => ({ value, label: text.errors.ways[value] }))}
          onChange={choose}
        />
        {way !== "1" && (
          <TextArea
            label={text.errors.data}
            value={data}
            rows={4}
            disabled={edit.isReadOnly}
            onChange={(said) => edit.set([...SETTING, "dataOnErr"], said)}
          />
        )}
        {way !== "1" && !isJson(data) && <p className={styles.bad}>{text.errors.noJson}</p>}
        <div className={styles.row}>
          <NumberField
            label={text.errors.retries}
            value={retries}
            min={0}
            max={10}
            isDisabled={edit.isReadOnly}
            onChange={(value) => edit.set([...SETTING, "retryTimes"], value ?? 0)}
          />
          <NumberField
            label={text.errors.limit}
            value={limit / 1000}
            min={0}
            unit={text.form.seconds}
            isDisabled={edit.isReadOnly}
            onChange={(value) =>
              edit.set([...SETTING, "timeoutMs"], Math.round((value ?? 0) * 1000))
            }
          />
        </div>
        {node.type === LLM && <SecondModel node={node} />}
      </div>
    </Section>
  );
}

const BACKUP = [...SETTING, "ext", "backupLLMParam"];

/** The model that is asked from the second try on; the format keeps it as text of its own. */
function SecondModel({ node }: { node: Placed }) {
  const text = useText(canvasText).errors;
  const edit = useEdit(node);
  const kept = asRecord(readJson(textOf(edit.at(BACKUP))));
  const id = kept["modelType"];
  const name = kept["modleName"];
  return (
    <ModelField
      id={typeof id === "string" || typeof id === "number" ? String(id) : ""}
      name={typeof name === "string" ? name : ""}
      isDisabled={edit.isReadOnly}
      second={{ label: text.second, hint: text.secondWhy }}
      onClear={() => edit.set(BACKUP, undefined)}
      onChange={(model) =>
        edit.set(BACKUP, JSON.stringify({ ...kept, modelType: model.id, modleName: model.name }))
      }
    />
  );
}

function emptyOf(fields: readonly Field[]): Record<string, unknown> {
  const zero: Readonly<Record<Field["type"], unknown>> = {
    string: "",
    integer: 0,
    float: 0,
    boolean: false,
    object: {},
    list: [],
  };
  return Object.fromEntries(
    fields.map((each) => [
      each.name,
      each.type === "object" ? emptyOf(each.fields) : zero[each.type],
    ]),
  );
}
