import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../classes";
import styles from "./banner.module.css";

type Props = { tone: "info" | "warn"; children: ReactNode };

/** A lasting fact about everything below it. */
export function Banner({ tone, children }: Props) {
  return (
    <div role="status" className={classes(styles.banner, styles[tone])}>
      {tone === "warn" ? <TriangleAlert size={14} /> : <Info size={14} />}
      <span>{children}</span>
    </div>
  );
}
