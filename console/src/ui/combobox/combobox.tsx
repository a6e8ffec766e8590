import { Combobox as Base } from "@base-ui/react/combobox";
import { ChevronsUpDown, X } from "lucide-react";
import { useId, useState } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import { described, Field, type FieldFacts } from "../field/field";
import { uiText } from "../text";
import field from "../text-field/text-field.module.css";
import styles from "./combobox.module.css";
import { ComboboxList } from "./combobox-list";
import { type ComboboxOption, type OptionSource, useOptions } from "./options";

type Props = FieldFacts & {
  value: ComboboxOption | undefined;
  /** All options, or how to ask for them; asked for, they come as the source orders them. */
  options: OptionSource;
  onChange: (value: ComboboxOption | undefined) => void;
  placeholder?: string;
  /** It may be left without a choice. */
  canBeEmpty?: boolean;
};

/** One of many, found by typing. */
export function Combobox(props: Props) {
  const { value, options: source, onChange, placeholder, canBeEmpty, isDisabled } = props;
  const id = useId();
  const text = useText(uiText);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { options, state } = useOptions(source, typed, isOpen);
  return (
    <Base.Root
      items={options}
      filter={null}
      value={value ?? null}
      onValueChange={(next: ComboboxOption | null) => onChange(next ?? undefined)}
      isItemEqualToValue={(one, other) => one.value === other.value}
      itemToStringLabel={(option: ComboboxOption) => option.label}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open);
        // What is typed may be what opened it.
        if (!open) setTyped("");
      }}
      onInputValueChange={(input, { reason }) => reason === "input-change" && setTyped(input)}
      disabled={isDisabled ?? false}
      autoHighlight
    >
      <Field {...props} id={id}>
        <div className={styles.frame}>
          {value?.icon && <span className={styles.lead}>{value.icon}</span>}
          <Base.Input
            id={id}
            {...described(id, props)}
            {...(placeholder === undefined ? {} : { placeholder })}
            className={classes(field.input, styles.input, value?.icon ? styles.led : undefined)}
          />
          <span className={styles.tools}>
            {canBeEmpty && (
              <Base.Clear aria-label={text.clear} className={styles.tool}>
                <X size={14} />
              </Base.Clear>
            )}
            <Base.Trigger aria-label={text.showChoices} className={styles.tool}>
              <ChevronsUpDown size={14} strokeWidth={1.5} />
            </Base.Trigger>
          </span>
        </div>
      </Field>
      <ComboboxList state={state} isEmpty={options.length === 0} isTyped={typed !== ""} />
    </Base.Root>
  );
}
