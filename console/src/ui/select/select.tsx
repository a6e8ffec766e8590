import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classes } from "../classes";
import { described, Field, type FieldFacts } from "../field/field";
import menu from "../menu/menu.module.css";
import field from "../text-field/text-field.module.css";
import styles from "./select.module.css";

export type SelectOption<T extends string> = {
  value: T;
  label: string;
  /** Said in small type after the label. */
  hint?: string;
  icon?: ReactNode;
  isDisabled?: boolean;
};

type Props<T extends string> = FieldFacts & {
  value: T | undefined;
  options: readonly SelectOption<T>[];
  onChange: (value: T) => void;
  placeholder?: string;
  size?: "normal" | "compact";
};

/** One of a few that are known; `Combobox` is for many, or for those that are asked for. */
export function Select<T extends string>(props: Props<T>) {
  const { value, options, onChange, placeholder, size = "normal", isDisabled } = props;
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  return (
    <Base.Root
      id={id}
      items={options}
      value={value ?? null}
      onValueChange={(next: T | null) => next !== null && onChange(next)}
      modal={false}
      disabled={isDisabled ?? false}
    >
      <Field
        {...props}
        id={id}
        labelled={(label) => <Base.Label className={field.label}>{label}</Base.Label>}
      >
        <Base.Trigger
          {...described(id, props)}
          className={classes(field.input, styles.trigger, size === "compact" && styles.compact)}
        >
          {chosen?.icon}
          <Base.Value
            className={styles.value}
            {...(placeholder === undefined ? {} : { placeholder })}
          />
          <Base.Icon className={styles.icon}>
            <ChevronsUpDown size={14} strokeWidth={1.5} />
          </Base.Icon>
        </Base.Trigger>
      </Field>
      <Base.Portal>
        <Base.Positioner
          alignItemWithTrigger={false}
          sideOffset={4}
          align="start"
          className={menu.positioner}
        >
          <Base.Popup className={classes(menu.popup, menu.fitted)}>
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.isDisabled ?? false}
                  className={menu.item}
                >
                  {option.icon}
                  <span className={menu.label}>
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint && <span className={menu.hint}>{option.hint}</span>}
                  </span>
                  <Base.ItemIndicator className={menu.mark}>
                    <Check size={14} strokeWidth={2} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
