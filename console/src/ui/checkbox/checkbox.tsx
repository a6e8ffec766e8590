import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import styles from "./checkbox.module.css";

type Props = {
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is so, and some is not. */
  isMixed?: boolean;
  /** The words are read, but not seen. */
  isLabelHidden?: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean, isShifted: boolean) => void;
};

/** A thing that is so or not, with its words beside it. */
export function Checkbox(props: Props) {
  const { label, isChecked, isMixed, isLabelHidden, isDisabled, onChange } = props;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a component inside
    <label className={styles.label}>
      <Base.Root
        checked={isChecked}
        disabled={isDisabled ?? false}
        indeterminate={isMixed ?? false}
        {...(isLabelHidden ? { "aria-label": label } : {})}
        onCheckedChange={(next, { event }) =>
          onChange(next, "shiftKey" in event && event.shiftKey === true)
        }
        className={styles.box}
      >
        <Base.Indicator className={styles.mark}>
          {isMixed ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
        </Base.Indicator>
      </Base.Root>
      {!isLabelHidden && label}
    </label>
  );
}
