import { isRecord, readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { at, type JsonObject, textOf } from "../document/read";
import { type Value, write } from "../document/tree";
import type { Field } from "../model/field";
import { canvasText } from "../text";
import { literalInput, literalOf } from "./input";
import styles from "./value-editor.module.css";

type Props = {
  label: string;
  type: Field;
  input: Value | undefined;
  isDisabled: boolean;
  onChange: (json: JsonObject) => void;
};

/** A fixed value in the control of its type; lists and objects are written as JSON. */
export function LiteralValue({ label, type, input, isDisabled, onChange }: Props) {
  const text = useText(canvasText);
  const said = saidOf(input);
  const put = (typed: string) => onChange(literalInput(type, literalOf(typed, type)));
  if (type.type === "boolean") {
    return (
      <select
        className={styles.literal}
        aria-label={label}
        disabled={isDisabled}
        value={said === "true" ? "true" : "false"}
        onChange={(event) => onChange(literalInput(type, event.target.value === "true"))}
      >
        <option value="true">{text.form.yes}</option>
        <option value="false">{text.form.no}</option>
      </select>
    );
  }
  if (type.type === "list" || type.type === "object") {
    const isBad = said.trim() !== "" && !isOf(type.type, readJson(said));
    return (
      <span className={styles.written}>
        <textarea
          className={classes(styles.literal, styles.lines)}
          aria-label={label}
          aria-invalid={isBad || undefined}
          spellCheck={false}
          rows={1}
          disabled={isDisabled}
          placeholder={text.form.jsonPlaceholders[type.type]}
          value={said}
          onChange={(event) => put(event.target.value)}
        />
        {isBad && <span className={styles.bad}>{text.form.noJsonOf[type.type]}</span>}
      </span>
    );
  }
  return (
    <input
      className={styles.literal}
      aria-label={label}
      disabled={isDisabled}
      placeholder={text.form.valuePlaceholder}
      inputMode={type.type === "integer" || type.type === "float" ? "decimal" : "text"}
      value={said}
      onChange={(event) => put(event.target.value)}
    />
  );
}

/** What was written; the format has lists and objects as text of JSON or as JSON itself. */
export function saidOf(input: Value | undefined): string {
  const content = at(input, ["value", "content"]);
  if (!content || textOf(at(input, ["value", "type"])) !== "literal") return "";
  return content.kind === "leaf" && content.raw.startsWith('"') ? textOf(content) : write(content);
}

function isOf(type: "list" | "object", value: unknown): boolean {
  return type === "list" ? Array.isArray(value) : isRecord(value);
}
