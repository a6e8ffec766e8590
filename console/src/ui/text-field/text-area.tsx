import { type TextareaHTMLAttributes, useId } from "react";
import { classes } from "../classes";
import { described, Field, type FieldFacts } from "../field/field";
import styles from "./text-area.module.css";

type Props = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  "className" | "id" | "onChange" | "value"
> &
  FieldFacts & {
    value: string;
    onChange: (value: string) => void;
    /** Begins with one line instead of four. */
    isShort?: boolean;
    /** For code and JSON. */
    isCode?: boolean;
  };

/** Lines of text with their label; grows with them. */
export function TextArea(props: Props) {
  const { label, hint, error, isRequired, isDisabled, isLabelHidden, ...others } = props;
  const { value, onChange, isShort, isCode, ...rest } = others;
  const id = useId();
  const isNeeded = isRequired ?? rest.required;
  return (
    <Field {...{ id, label, hint, error, isLabelHidden }} isRequired={isNeeded}>
      <textarea
        {...rest}
        {...described(id, { label, hint, error })}
        id={id}
        required={isNeeded}
        disabled={isDisabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={classes(styles.input, isShort && styles.short, isCode && styles.code)}
      />
    </Field>
  );
}
