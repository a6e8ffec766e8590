import { JsonView } from "../ui/json-view/json-view";
import styles from "./panes.module.css";
import { fieldsOf, listOf, parsed } from "./prompt";

const HIGHEST_PX = 520;

/** A text as it is; what is JSON as a tree. */
export function Value({ label, value }: { label: string; value: unknown }) {
  const told = typeof value === "string" ? (structureOf(value) ?? value) : value;
  if (typeof told === "string") return <pre className={styles.text}>{told}</pre>;
  return <JsonView label={label} value={told ?? null} maxHeight={HIGHEST_PX} />;
}

function structureOf(text: string): unknown {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return fieldsOf(value) ?? listOf(value);
}
