import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "../classes";
import styles from "./button.module.css";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> & {
  kind?: "primary" | "plain" | "quiet" | "danger";
  size?: "normal" | "compact" | "large";
  icon?: ReactNode;
  /** Shows that the work goes on; the width stays. */
  isLoading?: boolean;
  isWide?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** Something to do. */
export function Button(props: Props) {
  const { kind = "plain", size = "normal", icon, isLoading, isWide, children, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isLoading || undefined}
      aria-disabled={isLoading || rest["aria-disabled"]}
      onClick={isLoading ? undefined : rest.onClick}
      className={classes(styles.button, styles[kind], styles[size], isWide && styles.wide)}
    >
      <span className={styles.content}>
        {icon}
        {children}
      </span>
      {isLoading && <span className={styles.progress} />}
    </button>
  );
}
