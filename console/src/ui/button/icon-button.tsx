import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "../classes";
import { Tooltip } from "../tooltip/tooltip";
import styles from "./icon-button.module.css";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "children"> & {
  /** Name for everybody: shown on hover and focus, read by screen readers. */
  label: string;
  shortcut?: string;
  size?: "normal" | "compact";
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows a sign alone. */
export function IconButton({ label, shortcut, size = "normal", icon, ...rest }: Props) {
  return (
    <Tooltip label={label} {...(shortcut ? { shortcut } : {})}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(styles.button, size === "compact" && styles.compact)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
