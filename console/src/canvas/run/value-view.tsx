import { JsonView } from "../../ui/json-view/json-view";
import styles from "./run-panel.module.css";

/** A value that a run took or gave: texts as they are, everything else as a tree. */
export function ValueView({ label, value }: { label: string; value: unknown }) {
  if (typeof value === "string") return <div className={styles.value}>{value}</div>;
  return <JsonView label={label} value={value ?? null} maxHeight={280} />;
}
