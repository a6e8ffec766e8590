import { useText } from "../../text/catalogue";
import { type Field, field, letterOf } from "../model/field";
import { canvasText } from "../text";
import styles from "./rows.module.css";

const FILES = [1, 2, 3, 8, 10];

type Option = { readonly value: string; readonly type: Field };

const BASE: readonly Option[] = [
  ...(["string", "integer", "float", "boolean", "object"] as const).map((type) => ({
    value: type,
    type: field("", type),
  })),
  { value: "time", type: field("", "string", { assistType: 10000 }) },
  ...FILES.map((assistType) => ({
    value: `file:${assistType}`,
    type: field("", "string", { assistType }),
  })),
];

const OPTIONS: readonly Option[] = [
  ...BASE,
  ...BASE.map(({ value, type }) => ({
    value: `list:${value}`,
    type: field("", "list", { item: type }),
  })),
];

type Props = { label: string; type: Field; isDisabled?: boolean; onChange: (type: Field) => void };

/** The type of a field: a value of some kind, or a list of such. */
export function TypeSelect({ label, type, isDisabled, onChange }: Props) {
  const text = useText(canvasText);
  const now = keyOf(type);
  return (
    <span className={styles.type}>
      <span aria-hidden="true">{letterOf(type)}</span>
      <select
        aria-label={label}
        disabled={isDisabled}
        value={now}
        onChange={(event) => {
          const found = OPTIONS.find((each) => each.value === event.target.value);
          if (found) onChange(found.type);
        }}
      >
        {OPTIONS.map(({ value }) => (
          <option key={value} value={value}>
            {value.startsWith("list:")
              ? text.types.listOf(text.types.names[value.slice(5)] ?? value)
              : (text.types.names[value] ?? value)}
          </option>
        ))}
        {!OPTIONS.some((each) => each.value === now) && <option value={now}>{now}</option>}
      </select>
    </span>
  );
}

function keyOf({ type, assistType, item }: Field): string {
  if (type === "list") return `list:${item ? keyOf(item) : "string"}`;
  if (type === "string" && assistType === 10000) return "time";
  return type === "string" && assistType > 0 ? `file:${assistType}` : type;
}
