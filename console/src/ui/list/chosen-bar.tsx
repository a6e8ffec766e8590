import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../button/icon-button";
import styles from "./chosen-bar.module.css";

type Props = {
  /** How many rows are chosen, in words. */
  count: string;
  clear: string;
  onClear: () => void;
  /** What can be done with them together. */
  children: ReactNode;
};

/** Stands above a list in place of its filters, as long as rows are chosen. */
export function ChosenBar({ count, clear, onClear, children }: Props) {
  return (
    <div className={styles.bar}>
      <IconButton size="compact" label={clear} icon={<X size={16} />} onClick={onClear} />
      <span role="status" className={styles.count}>
        {count}
      </span>
      {children}
    </div>
  );
}
