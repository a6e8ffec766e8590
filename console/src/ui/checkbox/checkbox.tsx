import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check } from "lucide-react";
import styles from "./checkbox.module.css";

type Props = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void };

/** A thing that is so or not, with its words beside it. */
export function Checkbox({ label, isChecked, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a component inside
    <label className={styles.label}>
      <Base.Root checked={isChecked} onCheckedChange={onChange} className={styles.box}>
        <Base.Indicator className={styles.mark}>
          <Check size={12} strokeWidth={3} />
        </Base.Indicator>
      </Base.Root>
      {label}
    </label>
  );
}
