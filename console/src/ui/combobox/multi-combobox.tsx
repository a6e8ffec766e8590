import { Combobox as Base } from "@base-ui/react/combobox";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import { described, Field, type FieldFacts } from "../field/field";
import { uiText } from "../text";
import field from "../text-field/text-field.module.css";
import styles from "./combobox.module.css";
import { ComboboxList, NEW } from "./combobox-list";
import { type ComboboxOption, type OptionSource, useOptions } from "./options";

type Props = FieldFacts & {
  values: readonly ComboboxOption[];
  options: OptionSource;
  onChange: (values: readonly ComboboxOption[]) => void;
  placeholder?: string;
  /** Makes an option of what was typed; nothing where it cannot be one. */
  onCreate?: (typed: string) => ComboboxOption | undefined;
};

/** Several of many, each as a chip; with `onCreate` also such as are not on the list. */
export function MultiCombobox(props: Props) {
  const { values, options: source, onChange, placeholder, onCreate, isDisabled } = props;
  const id = useId();
  const text = useText(uiText);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { options, state } = useOptions(source, typed, isOpen);
  const made = typed.trim() ? onCreate?.(typed.trim()) : undefined;
  const isKnown = [...options, ...values].some((option) => option.value === made?.value);
  const offered =
    made && !isKnown ? [...options, { ...made, value: NEW, label: text.add(made.label) }] : options;
  function choose(next: readonly ComboboxOption[]): void {
    onChange(next.flatMap((option) => (option.value === NEW ? (made ? [made] : []) : [option])));
    setTyped("");
  }
  return (
    <Base.Root
      multiple
      items={offered}
      filter={null}
      value={values}
      onValueChange={choose}
      isItemEqualToValue={(one, other) => one.value === other.value}
      itemToStringLabel={(option: ComboboxOption) => option.label}
      inputValue={typed}
      onInputValueChange={(input, { reason }) => reason === "input-change" && setTyped(input)}
      open={isOpen && (offered.length > 0 || state !== "ready" || !onCreate)}
      onOpenChange={(open) => {
        setOpen(open);
        if (!open) setTyped("");
      }}
      disabled={isDisabled ?? false}
      autoHighlight
    >
      <Field {...props} id={id}>
        <Base.Chips className={classes(field.input, styles.chips)}>
          {values.map((option) => (
            <Base.Chip key={option.value} aria-label={option.label} className={styles.chip}>
              {option.icon}
              <span className={styles.name}>{option.label}</span>
              <Base.ChipRemove aria-label={text.removeOne(option.label)} className={styles.tool}>
                <X size={12} />
              </Base.ChipRemove>
            </Base.Chip>
          ))}
          <Base.Input
            id={id}
            {...described(id, props)}
            {...(placeholder === undefined || values.length > 0 ? {} : { placeholder })}
            className={styles.bare}
          />
        </Base.Chips>
      </Field>
      <ComboboxList state={state} isEmpty={offered.length === 0} isTyped={typed !== ""} />
    </Base.Root>
  );
}
