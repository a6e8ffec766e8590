import { useText } from "../text/catalogue";
import { TextField } from "../ui/text-field/text-field";
import { doorText } from "./door-text";
import styles from "./new-password.module.css";
import { isWeak, SHORTEST, strengthOf } from "./password";

type Props = {
  label: string;
  value: string;
  onChange: (password: string) => void;
  /** What others may know of the person, which makes no password. */
  names: readonly string[];
  /** What comes with it, said as long as nothing is typed. */
  hint?: string;
  /** Whether it was asked for as it is: too little is an error then, and no step on the way. */
  isAsked?: boolean;
  onBlur?: () => void;
  required?: boolean;
};

/** A password that is being made up, and how good it is so far. */
export function NewPassword({ value, names, hint, isAsked = false, ...field }: Props) {
  const { password: text } = useText(doorText);
  const strength = strengthOf(value, names);
  const words = strength === "short" ? text.short(SHORTEST - value.length) : text[strength];
  const isRefused = isAsked && isWeak(strength);
  return (
    <TextField
      {...field}
      type="password"
      value={value}
      autoComplete="new-password"
      error={isRefused ? (value ? words : text.hint) : undefined}
      hint={
        value === "" ? (
          (hint ?? text.hint)
        ) : (
          <span className={styles.note}>
            <span aria-hidden="true" className={styles.steps} data-strength={strength}>
              <span className={styles.step} />
              <span className={styles.step} />
              <span className={styles.step} />
            </span>
            {words}
          </span>
        )
      }
    />
  );
}
