import { Plus, X } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { classes } from "../../../ui/classes";
import { Segmented } from "../../../ui/segmented/segmented";
import { Select } from "../../../ui/select/select";
import field from "../../../ui/text-field/text-field.module.css";
import { type Condition, type Field, type Filter, OPERATORS, takesValue } from "./rules";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

type Props = {
  fields: readonly Field[];
  filter: Filter;
  user: string;
  onChange: (filter: Filter) => void;
  onUser: (user: string) => void;
};

/** Conditions that rows have to meet, and the end user whose rows are looked at. */
export function FilterBar({ fields, filter, user, onChange, onUser }: Props) {
  const text = useText(tableText);
  const { filter: words } = text;
  const { conditions } = filter;
  function put(index: number, change: Partial<Condition>): void {
    onChange({
      ...filter,
      conditions: conditions.map((each, at) => (at === index ? { ...each, ...change } : each)),
    });
  }
  return (
    <section aria-label={words.title(0)} className={styles.filters}>
      {conditions.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place in the list
        <div key={index} className={styles.condition}>
          <Select
            label={words.field}
            isLabelHidden
            value={each.field}
            options={fields.map(({ name }) => ({ value: name, label: name }))}
            onChange={(name) => put(index, { field: name })}
          />
          <Select
            label={words.operator}
            isLabelHidden
            value={each.operator}
            options={OPERATORS.map((value) => ({ value, label: words.operators[value] }))}
            onChange={(operator) => put(index, { operator })}
          />
          {takesValue(each.operator) ? (
            <input
              aria-label={words.valueOf(each.field)}
              value={each.value}
              onChange={(event) => put(index, { value: event.target.value })}
              autoComplete="off"
              className={classes(field.input, styles.value)}
            />
          ) : (
            <span className={styles.value} />
          )}
          <IconButton
            size="compact"
            label={words.remove(each.field)}
            icon={<X size={16} />}
            onClick={() =>
              onChange({ ...filter, conditions: conditions.filter((_, at) => at !== index) })
            }
          />
        </div>
      ))}
      <div className={styles.line}>
        <Button
          size="compact"
          icon={<Plus size={14} />}
          onClick={() =>
            onChange({
              ...filter,
              conditions: [
                ...conditions,
                { field: fields[0]?.name ?? "", operator: "eq", value: "" },
              ],
            })
          }
        >
          {words.add}
        </Button>
        {conditions.length > 1 && (
          <Segmented
            label={words.logic}
            value={filter.logic}
            options={[
              { value: "and", label: words.all },
              { value: "or", label: words.any },
            ]}
            onChange={(logic) => onChange({ ...filter, logic })}
          />
        )}
        <input
          key={user}
          aria-label={text.asUser}
          placeholder={text.asUser}
          defaultValue={user}
          onBlur={(event) => event.target.value !== user && onUser(event.target.value.trim())}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
          autoComplete="off"
          size={24}
          className={classes(field.input, styles.user)}
        />
      </div>
    </section>
  );
}
