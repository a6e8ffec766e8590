import { useText } from "../../text/catalogue";
import { NumberField } from "../../ui/number/number-field";
import { Switch } from "../../ui/switch/switch";
import { isBatched, setBatched } from "../commands/batch";
import { renameList } from "../commands/rename";
import { numberOf } from "../document/read";
import { useFixedOutputs } from "../kinds";
import { field } from "../model/field";
import { graphOf, type Placed } from "../model/graph";
import { sourcesFor } from "../model/output";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { useEdit } from "./edit";
import { InputRows, Section } from "./input-rows";
import styles from "./rows.module.css";
import { ValueEditor } from "./value-editor";

const BATCH = ["data", "inputs", "batch"];
const LIST = field("", "list", { item: field("", "string") });
const NUMBER = field("", "integer");

/** Whether a node runs once, or for each element of lists: which ones, and how many at a time. */
export function BatchSection({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const isOn = isBatched(node);
  return (
    <>
      <Section title={text.batch.title} path={BATCH}>
        <div className={styles.stack}>
          <Switch
            label={text.batch.isOn}
            hint={text.batch.why}
            isOn={isOn}
            isDisabled={edit.isReadOnly}
            onChange={(next) =>
              edit.change(text.steps.edit(node.title), (root) => setBatched(root, node.id, next))
            }
          />
          {isOn && (
            <>
              <Count node={node} name="batchSize" label={text.batch.most} most={200} />
              <Count node={node} name="concurrentSize" label={text.batch.atOnce} most={10} />
            </>
          )}
        </div>
      </Section>
      {isOn && <Lists node={node} />}
    </>
  );
}

/** The lists, none of which can be filled with its own elements. */
function Lists({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  return (
    <InputRows
      node={node}
      title={text.batch.lists}
      hint={text.batch.listsWhy}
      path={[...BATCH, "inputLists"]}
      type={LIST}
      rename={renameList}
      sources={sourcesFor(graph, node.id, fixed).filter((each) => each.relation !== "batch")}
    />
  );
}

type CountProps = {
  node: Placed;
  name: "batchSize" | "concurrentSize";
  label: string;
  most: number;
};

/** A number that the format writes plainly, or as a value where it comes from another node. */
function Count({ node, name, label, most }: CountProps) {
  const edit = useEdit(node);
  const path = [...BATCH, name];
  const value = edit.at(path);
  if (value?.kind === "object") {
    return (
      <div className={styles.row}>
        <span className={styles.fixed}>{label}</span>
        <ValueEditor node={node} label={label} wanted={NUMBER} path={path} />
      </div>
    );
  }
  return (
    <NumberField
      label={label}
      value={numberOf(value)}
      min={1}
      max={most}
      isDisabled={edit.isReadOnly}
      onChange={(next) => edit.set(path, next ?? 1)}
    />
  );
}
