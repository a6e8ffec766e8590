import { ChevronDown, X } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { classes } from "../classes";
import { Popover } from "../popover/popover";
import { uiText } from "../text";
import { TextField } from "../text-field/text-field";
import chip from "./filter-chip.module.css";
import styles from "./typed-chip.module.css";

type Props = {
  label: string;
  value: string | undefined;
  /** What the value is called, where it has a name. */
  name: string | undefined;
  hint: string;
  /** Opens as soon as it is there: somebody just asked for it. */
  isNew: boolean;
  /** What may be typed; everything that is not empty if left out. */
  pattern?: RegExp;
  onChange: (value: string | undefined) => void;
};

/** One filter of a list whose value is typed: there are too many to choose from. */
export function TypedChip({ label, value, name, hint, isNew, pattern, onChange }: Props) {
  const text = useText(uiText);
  const [isOpen, setOpen] = useState(isNew);
  const [typed, setTyped] = useState(value ?? "");
  const wanted = typed.trim();
  const isFit = wanted !== "" && (pattern?.test(wanted) ?? true);
  return (
    <span className={classes(chip.chip, value !== undefined && chip.active)}>
      <Popover
        label={label}
        isOpen={isOpen}
        onOpenChange={(next) => {
          setTyped(value ?? "");
          setOpen(next);
        }}
        trigger={
          <button type="button" className={chip.button}>
            {label}
            {value === undefined ? (
              <ChevronDown size={14} />
            ) : (
              <b className={chip.value}>{name ?? value}</b>
            )}
          </button>
        }
      >
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isFit) return;
            setOpen(false);
            onChange(wanted);
          }}
        >
          <TextField
            label={label}
            hint={hint}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            spellCheck={false}
          />
          <span className={styles.verb}>
            <Button kind="primary" size="compact" type="submit" disabled={!isFit}>
              {text.apply}
            </Button>
          </span>
        </form>
      </Popover>
      {value !== undefined && (
        <button
          type="button"
          aria-label={`${text.clear}: ${label}`}
          className={chip.clear}
          onClick={() => onChange(undefined)}
        >
          <X size={14} />
        </button>
      )}
    </span>
  );
}
