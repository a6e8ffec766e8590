import { NumberField as Base } from "@base-ui/react/number-field";
import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useText } from "../../text/catalogue";
import { locale } from "../../text/language";
import { described, Field, type FieldFacts } from "../field/field";
import { uiText } from "../text";
import field from "../text-field/text-field.module.css";
import styles from "./number-field.module.css";

type Props = FieldFacts & {
  /** Nothing where the field is empty. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min?: number | undefined;
  max?: number | undefined;
  step?: number;
  /** Said after the number: `tokens`, `s`, `%`. */
  unit?: string;
  placeholder?: string;
  aside?: ReactNode;
};

/** A number: typed, stepped by keys and buttons, or dragged at its label. */
export function NumberField(props: Props) {
  const { value, onChange, min, max, step = 1, unit, placeholder, isDisabled } = props;
  const id = useId();
  const text = useText(uiText);
  return (
    <Base.Root
      id={id}
      value={value ?? null}
      onValueChange={(next) => onChange(next ?? undefined)}
      min={min}
      max={max}
      step={step}
      smallStep={step / 10}
      locale={locale()}
      format={{ maximumFractionDigits: 6 }}
      disabled={isDisabled ?? false}
    >
      <Field
        {...props}
        id={id}
        labelled={(label) => (
          <Base.ScrubArea className={styles.scrub}>
            <label htmlFor={id} className={field.label}>
              {label}
            </label>
          </Base.ScrubArea>
        )}
      >
        <Base.Group className={styles.group}>
          <Base.Input
            {...described(id, props)}
            {...(placeholder === undefined ? {} : { placeholder })}
            className={styles.input}
          />
          {unit && <span className={styles.unit}>{unit}</span>}
          <span className={styles.steps}>
            <Base.Increment tabIndex={-1} aria-label={text.increase} className={styles.step}>
              <ChevronUp size={12} />
            </Base.Increment>
            <Base.Decrement tabIndex={-1} aria-label={text.decrease} className={styles.step}>
              <ChevronDown size={12} />
            </Base.Decrement>
          </span>
        </Base.Group>
      </Field>
    </Base.Root>
  );
}
