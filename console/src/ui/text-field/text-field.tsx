import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./text-field.module.css";

type Props = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  "className" | "id" | "onChange" | "value"
> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A line of text with its label; an error stands in the place of the hint. */
export function TextField({ label, value, onChange, hint, error, ref, ...rest }: Props) {
  const id = useId();
  const text = useText(uiText);
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {rest.required && (
          <span className={styles.required} role="img" aria-label={text.required} />
        )}
      </label>
      <input
        {...rest}
        ref={ref}
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={styles.input}
      />
      {note && (
        <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      )}
    </div>
  );
}
