import { ChevronRight, Plus, X } from "lucide-react";
import { useSystemVariables } from "../../canvas/resources";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { TextField } from "../../ui/text-field/text-field";
import unseen from "../../ui/unseen.module.css";
import type { Draft, Edits } from "./edits";
import { Section } from "./section";
import more from "./section.module.css";
import { workbenchText } from "./text";
import styles from "./variables-section.module.css";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Variable = NonNullable<Edits["variables"]>[number];

const TYPES = ["KVVariable", "ListVariable"] as const;
/** What a persona can name. */
export const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** What the agent keeps of each end user, and what the persona can name. */
export function VariablesSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).variables;
  const system = useSystemVariables();
  const { variables } = draft;
  const set = (next: readonly Variable[]) => onEdit({ variables: [...next] });
  return (
    <Section
      part="variables"
      title={text.title}
      state={variables.length > 0 ? text.count(variables.length) : text.none}
    >
      {variables.map((each, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
          key={index}
          variable={each}
          isTwice={variables.some((other, at) => at !== index && other.key === each.key)}
          onChange={(change) =>
            set(variables.map((old, at) => (at === index ? { ...old, ...change } : old)))
          }
          onRemove={() => set(variables.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <Button
          size="compact"
          icon={<Plus size={14} />}
          onClick={() => set([...variables, newVariable(freeName(variables))])}
        >
          {text.add}
        </Button>
      </div>
      {system && system.length > 0 && (
        <details className={more.more}>
          <summary className={more.summary}>
            <ChevronRight size={14} className={more.fold} />
            {text.ofSystem(system.length)}
          </summary>
          <dl className={styles.system}>
            {system.map(({ keyword, description }) => (
              <div key={keyword}>
                <dt>
                  <code>{keyword}</code>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Section>
  );
}

type RowProps = {
  variable: Variable;
  isTwice: boolean;
  onChange: (change: Partial<Variable>) => void;
  onRemove: () => void;
};

function Row({ variable, isTwice, onChange, onRemove }: RowProps) {
  const text = useText(workbenchText).variables;
  const { key, is_system: isSystem } = variable;
  const error = isTwice ? text.twice : NAME.test(key) ? undefined : text.wrongName;
  return (
    <fieldset className={styles.variable} disabled={isSystem}>
      <legend className={unseen.unseen}>{key}</legend>
      <div className={styles.row}>
        <TextField
          label={text.key}
          value={key}
          error={error}
          hint={isSystem ? text.system : undefined}
          onChange={(next) => onChange({ key: next })}
        />
        <TextField
          label={text.fallback}
          value={variable.default_value ?? ""}
          onChange={(default_value) => onChange({ default_value })}
        />
        {!isSystem && (
          <span className={styles.remove}>
            <IconButton label={text.remove(key)} icon={<X size={14} />} onClick={onRemove} />
          </span>
        )}
      </div>
      {!isSystem && (
        <>
          <TextField
            label={text.description}
            value={variable.description ?? ""}
            onChange={(description) => onChange({ description })}
          />
          <details className={more.more}>
            <summary className={more.summary}>
              <ChevronRight size={14} className={more.fold} />
              {text.more}
              <span className={styles.state}>{text.stateOf(variable)}</span>
            </summary>
            <div className={more.rest}>
              <Select
                label={text.type}
                value={variable.type ?? "KVVariable"}
                options={TYPES.map((value) => ({ value, label: text.types[value] }))}
                onChange={(type) => onChange({ type })}
              />
              <Switch
                label={text.hidden}
                hint={text.hiddenHint}
                isOn={variable.prompt_disabled ?? false}
                onChange={(prompt_disabled) => onChange({ prompt_disabled })}
              />
              <Switch
                label={text.disabled}
                hint={text.disabledHint}
                isOn={variable.is_disabled ?? false}
                onChange={(is_disabled) => onChange({ is_disabled })}
              />
            </div>
          </details>
        </>
      )}
    </fieldset>
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
    type: "KVVariable",
  };
}

function freeName(variables: readonly Variable[]): string {
  const taken = new Set(variables.map((each) => each.key));
  let number = 1;
  while (taken.has(`var_${number}`)) number += 1;
  return `var_${number}`;
}
