import { Plus, X } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Select } from "../../ui/select/select";
import type { Draft } from "./edits";
import { useModels } from "./queries";
import styles from "./team.module.css";
import type { Member } from "./team-section";
import { workbenchText } from "./text";

type Router = Draft["router"];
type Rule = NonNullable<Router["rules"]>[number];
type Props = {
  router: Router;
  /** Those that can take a question. */
  members: readonly Member[];
  onChange: (change: Partial<Router>) => void;
};

const MODES = ["off", "rules", "model"] as const;
const SELF = "self";

/** Who takes a question before the agent itself does. */
export function TeamRouter({ router, members, onChange }: Props) {
  const text = useText(workbenchText).team;
  const models = useModels();
  const { mode = "off", rules = [] } = router;
  const targets = members.map(({ agent_id, agent_name, name }) => ({
    value: String(agent_id),
    label: agent_name || name || String(agent_id),
  }));
  const first = targets[0]?.value ?? "";
  const own = { value: "", label: text.ownModel };
  const options = [
    own,
    ...(models ?? []).map((each) => ({ value: each.id, label: each.display.name })),
  ];
  const change = (at: number, more: Partial<Rule>) =>
    onChange({ rules: rules.map((each, index) => (index === at ? { ...each, ...more } : each)) });
  return (
    <div className={styles.router}>
      <Select
        label={text.router}
        hint={text.routerHints[mode]}
        value={mode}
        options={MODES.map((value) => ({ value, label: text.routers[value] }))}
        onChange={(next) =>
          onChange({
            mode: next,
            // Without a rule the mode would be refused: it begins with one to be filled in.
            ...(next === "rules" &&
              rules.length === 0 && { rules: [{ agent_id: first, words: [text.firstWord] }] }),
          })
        }
      />
      {mode === "rules" &&
        rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules are known by their order alone
          <div key={at} className={styles.rule}>
            <MultiCombobox
              label={text.words}
              hint={text.wordsHint}
              values={rule.words.map((value) => ({ value, label: value }))}
              options={[]}
              onCreate={(typed) => ({ value: typed, label: typed })}
              onChange={(next) =>
                next.length > 0 && change(at, { words: next.map(({ value }) => value) })
              }
            />
            <Select
              label={text.to}
              value={String(rule.agent_id)}
              options={targets}
              onChange={(agent_id) => change(at, { agent_id })}
            />
            <span className={styles.remove}>
              <IconButton
                label={text.removeRule(at + 1)}
                icon={<X size={14} />}
                disabled={rules.length === 1}
                onClick={() => onChange({ rules: rules.filter((_, index) => index !== at) })}
              />
            </span>
          </div>
        ))}
      {mode === "rules" && (
        <div>
          <Button
            size="compact"
            icon={<Plus size={14} />}
            onClick={() =>
              onChange({ rules: [...rules, { agent_id: first, words: [text.firstWord] }] })
            }
          >
            {text.addRule}
          </Button>
        </div>
      )}
      {mode === "model" && (
        <Combobox
          label={text.model}
          value={options.find(({ value }) => value === (router.model_id ?? "")) ?? own}
          options={options}
          onChange={(next) => next && onChange({ model_id: next.value || null })}
        />
      )}
      {mode !== "off" && (
        <Select
          label={text.rest}
          value={router.default_agent_id ?? SELF}
          options={[{ value: SELF, label: text.self }, ...targets]}
          onChange={(next) => onChange({ default_agent_id: next === SELF ? null : next })}
        />
      )}
    </div>
  );
}
