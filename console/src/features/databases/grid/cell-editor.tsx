import type { GridColumn } from "./data-grid";
import styles from "./data-grid.module.css";
import type { Draft } from "./use-grid-keys";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2})?)$/;

type Props = {
  column: GridColumn;
  draft: Draft;
  onChange: (text: string) => void;
  onLeave: () => void;
};

/**
 * What the cell of a field is chosen with; a field without choices, and a cell that somebody begins
 * to type into, takes any text.
 */
export function CellEditor({ column, draft, onChange, onLeave }: Props) {
  const shared = {
    // The cell was opened to be changed.
    autoFocus: true,
    "aria-label": column.label,
    onBlur: onLeave,
    className: styles.input,
  };
  if (!draft.isTyped && column.choices) {
    return (
      <select {...shared} value={draft.text} onChange={(event) => onChange(event.target.value)}>
        {column.choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const moment = MOMENT.exec(draft.text);
  const isDay = draft.text === "" || DAY.test(draft.text);
  if (!draft.isTyped && column.isDate && (moment || isDay)) {
    return (
      <input
        {...shared}
        type={moment ? "datetime-local" : "date"}
        step={moment ? 1 : undefined}
        value={moment ? `${moment[1]}T${moment[2]}` : draft.text}
        onChange={(event) => onChange(event.target.value.replace("T", " "))}
      />
    );
  }
  return (
    <input {...shared} value={draft.text} onChange={(event) => onChange(event.target.value)} />
  );
}
