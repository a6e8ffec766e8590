import { Plus, X } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { TextField } from "../../ui/text-field/text-field";
import type { Draft, Edits } from "./edits";
import { Section } from "./section";
import { workbenchText } from "./text";
import styles from "./variables-section.module.css";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Variable = NonNullable<Edits["variables"]>[number];

/** What the agent keeps of each end user, and what the persona can name. */
export function VariablesSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).variables;
  const { variables } = draft;
  const change = (index: number, more: Partial<Variable>) =>
    onEdit({
      variables: variables.map((each, at) => (at === index ? { ...each, ...more } : each)),
    });
  return (
    <Section
      title={text.title}
      state={variables.length > 0 ? text.count(variables.length) : text.none}
    >
      {variables.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
        <fieldset key={index} className={styles.variable}>
          <legend className={styles.legend}>{each.key}</legend>
          <div className={styles.row}>
            <TextField
              label={text.key}
              value={each.key}
              disabled={each.is_system}
              hint={each.is_system ? text.system : undefined}
              onChange={(key) => change(index, { key })}
            />
            <TextField
              label={text.fallback}
              value={each.default_value}
              disabled={each.is_system}
              onChange={(default_value) => change(index, { default_value })}
            />
            {!each.is_system && (
              <span className={styles.remove}>
                <IconButton
                  label={text.remove(each.key)}
                  icon={<X size={14} />}
                  onClick={() => onEdit({ variables: variables.filter((_, at) => at !== index) })}
                />
              </span>
            )}
          </div>
          {!each.is_system && (
            <TextField
              label={text.description}
              value={each.description}
              onChange={(description) => change(index, { description })}
            />
          )}
        </fieldset>
      ))}
      <div>
        <Button
          size="compact"
          icon={<Plus size={14} />}
          onClick={() => onEdit({ variables: [...variables, newVariable(freeName(variables))] })}
        >
          {text.add}
        </Button>
      </div>
    </Section>
  );
}

export function newVariable(key: string): Variable {
  return {
    key,
    description: "",
    default_value: "",
    is_system: false,
    prompt_disabled: false,
    is_disabled: false,
  };
}

function freeName(variables: readonly Variable[]): string {
  const taken = new Set(variables.map((each) => each.key));
  let number = 1;
  while (taken.has(`var_${number}`)) number += 1;
  return `var_${number}`;
}
