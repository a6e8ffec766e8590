import { useRef } from "react";
import { useText } from "../../text/catalogue";
import { TextArea } from "../../ui/text-field/text-area";
import type { Path } from "../document/tree";
import type { Placed } from "../model/graph";
import { isComposite } from "../model/kind";
import { batchFields, inputsOf, iterationFields } from "../model/output";
import { templateNames } from "../model/reference";
import { canvasText } from "../text";
import { shows } from "./lead";
import styles from "./rows.module.css";

type Props = {
  node: Placed;
  label: string;
  /** Where the text stands in the node. */
  path: Path;
  value: string;
  placeholder?: string;
  hint?: string;
  /** Words that stand in such a text as they are: names of a table and its fields. */
  words?: readonly string[];
  isDisabled?: boolean;
  onChange: (text: string) => void;
};

/** A text that the node's inputs are put into, with their names to be taken. */
export function TemplateField(props: Props) {
  const { node, label, path, value, placeholder, hint, words = [], isDisabled, onChange } = props;
  const text = useText(canvasText);
  const frame = useRef<HTMLDivElement>(null);
  const names = [
    ...inputsOf(node),
    ...batchFields(node),
    ...(isComposite(node.type) ? iterationFields(node) : []),
  ].map((each) => each.name);
  const known = [...new Set(names)].filter(Boolean);
  const unknown = templateNames(value).filter((each) => !known.includes(each));
  function put(said: string): void {
    const area = frame.current?.querySelector("textarea");
    const at = area?.selectionStart ?? value.length;
    const end = area?.selectionEnd ?? at;
    onChange(value.slice(0, at) + said + value.slice(end));
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(at + said.length, at + said.length);
    });
  }
  return (
    <div className={styles.rows} ref={frame} {...shows(path)}>
      <TextArea
        label={label}
        value={value}
        onChange={onChange}
        rows={4}
        {...(placeholder ? { placeholder } : {})}
        {...(hint ? { hint } : {})}
        disabled={isDisabled}
      />
      {known.length + words.length > 0 && !isDisabled && (
        <div className={styles.chips}>
          {[...known.map((name) => `{{${name}}}`), ...words].map((said) => (
            <button
              type="button"
              key={said}
              className={styles.chip}
              aria-label={text.form.insertVariable(said.replace(/^\{\{|\}\}$/g, ""))}
              onClick={() => put(said)}
            >
              {said}
            </button>
          ))}
        </div>
      )}
      {unknown.length > 0 && (
        <p className={styles.bad}>{text.form.unknownNames(unknown.join(", "))}</p>
      )}
    </div>
  );
}
