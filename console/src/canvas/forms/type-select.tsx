import { ChevronDown } from "lucide-react";
import { useText } from "../../text/catalogue";
import { type Field, field, typeKeyOf } from "../model/field";
import { canvasText } from "../text";
import { keyWord, typeWord } from "../type-word";
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
  const now = typeKeyOf(type);
  return (
    <span className={styles.type}>
      <span className={styles.typeName} aria-hidden="true">
        {typeWord(type, text)}
      </span>
      <ChevronDown size={12} />
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
            {keyWord(value, text)}
          </option>
        ))}
        {!OPTIONS.some((each) => each.value === now) && (
          <option value={now}>{keyWord(now, text)}</option>
        )}
      </select>
    </span>
  );
}
