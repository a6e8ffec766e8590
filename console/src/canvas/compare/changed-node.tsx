import { useText } from "../../text/catalogue";
import { Difference } from "../../ui/difference/difference";
import { useKindName } from "../kinds";
import { KindIcon } from "../view/kind-icon";
import { ChangeSign } from "./change-sign";
import styles from "./changed-node.module.css";
import type { NodeChange } from "./compare";
import type { FieldChange } from "./fields";
import { compareText } from "./text";

/** A node that differs: which one, and what became of it. */
export function ChangedNode({ change: { type, title, state } }: { change: NodeChange }) {
  const nameOf = useKindName();
  return (
    <>
      <KindIcon type={type} size={20} />
      <span className={styles.name}>{title || nameOf(type)}</span>
      <ChangeSign state={state} />
    </>
  );
}

/** What differs in a node. */
export function ChangedFields({ change: { fields } }: { change: NodeChange }) {
  return fields.map((field) => (
    <Field key={[field.section, ...field.names].join(" ")} field={field} />
  ));
}

function Field({ field }: { field: FieldChange }) {
  const text = useText(compareText);
  const { section, names, left, right } = field;
  const label = [
    ...(section === "settings" || section === "node" ? [] : [text.sections[section]]),
    ...names.map((each) => text.words[each] ?? each),
  ].join(" · ");
  return (
    <div className={styles.field}>
      <h3 className={styles.label}>{label || text.sections[section]}</h3>
      <Difference
        label={label || text.sections[section]}
        left={left}
        right={right}
        isByLine={names.at(-1) === "code"}
      />
    </div>
  );
}
