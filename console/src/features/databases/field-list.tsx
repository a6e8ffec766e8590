import { Plus, Trash2 } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { classes } from "../../ui/classes";
import { Select } from "../../ui/select/select";
import { uiText } from "../../ui/text";
import field from "../../ui/text-field/text-field.module.css";
import styles from "./field-list.module.css";
import { TYPES } from "./table/rules";
import { tableText } from "./table/text";

const MOST = 20;

/** A field as it shall be; those that are there have a number. */
export type FieldDraft = {
  key: string;
  id?: number;
  name: string;
  desc: string;
  type: number;
  must_required: boolean;
};

export function newField(): FieldDraft {
  return { key: crypto.randomUUID(), name: "", desc: "", type: 1, must_required: false };
}

type Props = {
  fields: readonly FieldDraft[];
  isDisabled?: boolean;
  onChange: (fields: FieldDraft[]) => void;
};

/** The fields of a table, as they shall be. */
export function FieldList({ fields, isDisabled = false, onChange }: Props) {
  const { fields: text } = useText(tableText);
  const ui = useText(uiText);
  function put(key: string, change: Partial<FieldDraft>): void {
    onChange(fields.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }
  return (
    <fieldset disabled={isDisabled} className={styles.fields}>
      <legend className={styles.legend}>{text.title}</legend>
      {fields.map((each) => {
        const called = each.name || text.unnamed;
        return (
          <div key={each.key} className={styles.field}>
            <input
              aria-label={text.name}
              placeholder={text.name}
              value={each.name}
              onChange={(event) => put(each.key, { name: event.target.value })}
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              required
              className={field.input}
            />
            <Select
              label={text.typeOf(called)}
              isLabelHidden
              value={TYPES.find((type) => type === String(each.type))}
              options={TYPES.map((value) => ({ value, label: text.types[value] }))}
              onChange={(value) => put(each.key, { type: Number(value) })}
              isDisabled={isDisabled}
            />
            <input
              aria-label={text.meaningOf(called)}
              placeholder={text.meaning}
              value={each.desc}
              onChange={(event) => put(each.key, { desc: event.target.value })}
              autoComplete="off"
              className={classes(field.input, styles.meaning)}
            />
            <Checkbox
              label={text.required}
              isChecked={each.must_required}
              onChange={(must_required) => put(each.key, { must_required })}
            />
            {!isDisabled && (
              <IconButton
                size="compact"
                label={ui.removeOne(called)}
                icon={<Trash2 size={16} />}
                disabled={fields.length === 1}
                onClick={() => onChange(fields.filter(({ key }) => key !== each.key))}
              />
            )}
          </div>
        );
      })}
      {!isDisabled && (
        <div>
          <Button
            size="compact"
            icon={<Plus size={14} />}
            disabled={fields.length >= MOST}
            onClick={() => onChange([...fields, newField()])}
          >
            {text.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
