import { Plus, X } from "lucide-react";
import { useState } from "react";
import { readRecord } from "../json/json";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import { classes } from "../ui/classes";
import { Segmented } from "../ui/segmented/segmented";
import { Select } from "../ui/select/select";
import { TextArea } from "../ui/text-field/text-area";
import field from "../ui/text-field/text-field.module.css";
import unseen from "../ui/unseen.module.css";
import {
  FIELDS,
  filterOf,
  type Group,
  groupOf,
  NEW_RULE,
  NO_RULES,
  OPERATORS,
  type Rule,
  takesValue,
} from "./filter";
import styles from "./filter-builder.module.css";
import type { Filter } from "./strategy";
import { retrievalText } from "./text";

type Props = { filter: Filter | undefined; onChange: (filter: Filter | undefined) => void };

/** Which documents are searched: conditions, and groups of them. */
export function FilterBuilder({ filter, onChange }: Props) {
  const text = useText(retrievalText).filter;
  const [group, setGroup] = useState(() => groupOf(filter));
  if (!group) {
    return (
      <FilterText
        filter={filter}
        onChange={onChange}
        onClear={() => {
          setGroup(NO_RULES);
          onChange(undefined);
        }}
      />
    );
  }
  const isEmpty = group.rules.length + group.groups.length === 0;
  return (
    <fieldset className={styles.filter}>
      <legend className={styles.legend}>{text.title}</legend>
      {isEmpty && <p className={styles.note}>{text.any}</p>}
      <GroupFields
        group={group}
        hasGroups
        onChange={(next) => {
          setGroup(next);
          onChange(filterOf(next));
        }}
      />
    </fieldset>
  );
}

type GroupProps = { group: Group; hasGroups?: boolean; onChange: (group: Group) => void };

function GroupFields({ group, hasGroups = false, onChange }: GroupProps) {
  const text = useText(retrievalText).filter;
  const { rules, groups } = group;
  const put = (index: number, change: Partial<Rule>) =>
    onChange({
      ...group,
      rules: rules.map((each, at) => (at === index ? { ...each, ...change } : each)),
    });
  return (
    <div className={styles.group}>
      {rules.length + groups.length > 1 && (
        <Segmented
          label={text.join}
          value={group.join}
          options={[
            { value: "and", label: text.joins.and },
            { value: "or", label: text.joins.or },
          ]}
          onChange={(join) => onChange({ ...group, join })}
        />
      )}
      {rules.map((rule, index) => (
        <RuleFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place in the list
          key={index}
          rule={rule}
          onChange={(change) => put(index, change)}
          onRemove={() => onChange({ ...group, rules: rules.filter((_, at) => at !== index) })}
        />
      ))}
      {groups.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place in the list
        <fieldset key={index} className={styles.inner}>
          <legend className={unseen.unseen}>{text.group}</legend>
          <GroupFields
            group={each}
            onChange={(next) =>
              onChange({ ...group, groups: groups.map((one, at) => (at === index ? next : one)) })
            }
          />
          <Button
            kind="quiet"
            size="compact"
            onClick={() => onChange({ ...group, groups: groups.filter((_, at) => at !== index) })}
          >
            {text.removeGroup}
          </Button>
        </fieldset>
      ))}
      <div className={styles.adding}>
        <Button
          size="compact"
          icon={<Plus size={14} />}
          onClick={() => onChange({ ...group, rules: [...rules, NEW_RULE] })}
        >
          {text.add}
        </Button>
        {hasGroups && rules.length > 0 && (
          <Button
            kind="quiet"
            size="compact"
            onClick={() =>
              onChange({
                ...group,
                groups: [...groups, { ...NO_RULES, join: "or", rules: [NEW_RULE] }],
              })
            }
          >
            {text.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

type RuleProps = { rule: Rule; onChange: (change: Partial<Rule>) => void; onRemove: () => void };

function RuleFields({ rule, onChange, onRemove }: RuleProps) {
  const text = useText(retrievalText).filter;
  const isList = rule.op === "in" || rule.op === "nin";
  const isTime = rule.field === "create_time" || rule.field === "update_time";
  return (
    <div className={styles.rule}>
      <Select
        label={text.field}
        isLabelHidden
        size="compact"
        value={rule.field}
        options={FIELDS.map((value) => ({ value, label: text.fields[value] }))}
        onChange={(name) => onChange({ field: name })}
      />
      <Select
        label={text.operator}
        isLabelHidden
        size="compact"
        value={rule.op}
        options={OPERATORS.map((value) => ({ value, label: text.operators[value] }))}
        onChange={(op) => onChange({ op })}
      />
      <IconButton size="compact" label={text.remove} icon={<X size={14} />} onClick={onRemove} />
      {rule.field === "tag" && (
        <input
          aria-label={text.tag}
          placeholder={text.tag}
          value={rule.tag}
          autoComplete="off"
          onChange={(event) => onChange({ tag: event.target.value })}
          className={classes(field.input, !takesValue(rule.op) && styles.whole)}
        />
      )}
      {takesValue(rule.op) && (
        <input
          aria-label={text.value}
          placeholder={isList ? text.listHint : isTime ? text.timeHint : text.value}
          value={rule.value}
          autoComplete="off"
          onChange={(event) => onChange({ value: event.target.value })}
          className={classes(field.input, rule.field !== "tag" && styles.whole)}
        />
      )}
    </div>
  );
}

type TextProps = Props & { onClear: () => void };

/** A filter beyond the form, as the text that it is. */
function FilterText({ filter, onChange, onClear }: TextProps) {
  const text = useText(retrievalText).filter;
  const [words, setWords] = useState(() => JSON.stringify(filter, null, 2));
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      <TextArea
        label={text.json}
        hint={text.jsonWhy}
        error={isBroken ? text.noJson : undefined}
        value={words}
        rows={6}
        onChange={(next) => {
          setWords(next);
          const read = readRecord(next);
          setBroken(!read);
          if (read) onChange(read);
        }}
      />
      <div>
        <Button kind="quiet" size="compact" onClick={onClear}>
          {text.clear}
        </Button>
      </div>
    </>
  );
}
