import { type TextareaHTMLAttributes, useId } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./text-area.module.css";
import field from "./text-field.module.css";

type Props = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  "className" | "id" | "onChange" | "value"
> & { label: string; value: string; onChange: (value: string) => void };

/** Lines of text with their label; grows with them. */
export function TextArea({ label, value, onChange, ...rest }: Props) {
  const id = useId();
  const text = useText(uiText);
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
        {rest.required && <span className={field.required} role="img" aria-label={text.required} />}
      </label>
      <textarea
        {...rest}
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={styles.input}
      />
    </div>
  );
}
