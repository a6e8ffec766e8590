import { Slider } from "@base-ui/react/slider";
import { type ReactNode, useId } from "react";
import { labelId } from "../field/field";
import { NumberField } from "../number/number-field";
import styles from "./slider-field.module.css";

type Props = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Nothing: what the other side takes of its own; the slider stands at `fallback`. */
  value: number | undefined;
  fallback: number;
  onChange: (value: number | undefined) => void;
  min: number;
  max: number;
  step: number;
  isDisabled?: boolean;
  aside?: ReactNode;
};

/** A number within bounds: a rough one by the slider, an exact one in the field. */
export function SliderField(props: Props) {
  const { label, hint, error, value, fallback, onChange, min, max, step, isDisabled } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <span id={labelId(id)} className={styles.label}>
          {label}
        </span>
        {props.aside}
      </div>
      <div className={styles.row}>
        <Slider.Root
          value={value ?? fallback}
          onValueChange={(next) => onChange(next)}
          min={min}
          max={max}
          step={step}
          largeStep={step * 10}
          disabled={isDisabled ?? false}
          aria-labelledby={labelId(id)}
          className={styles.slider}
        >
          <Slider.Control className={styles.control}>
            <Slider.Track className={styles.track}>
              <Slider.Indicator className={styles.indicator} />
              <Slider.Thumb
                aria-labelledby={labelId(id)}
                className={styles.thumb}
                data-is-default={value === undefined || undefined}
              />
            </Slider.Track>
          </Slider.Control>
        </Slider.Root>
        <div className={styles.number}>
          <NumberField
            label={label}
            isLabelHidden
            value={value}
            onChange={onChange}
            min={min}
            max={max}
            step={step}
            placeholder={String(fallback)}
            isDisabled={isDisabled}
          />
        </div>
      </div>
      {(error ?? hint) && <p className={error ? styles.error : styles.hint}>{error ?? hint}</p>}
    </div>
  );
}
