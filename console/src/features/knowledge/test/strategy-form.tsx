import { useText } from "../../../text/catalogue";
import { NumberField } from "../../../ui/number/number-field";
import { Segmented } from "../../../ui/segmented/segmented";
import { Select } from "../../../ui/select/select";
import { SliderField } from "../../../ui/slider/slider-field";
import { Switch } from "../../../ui/switch/switch";
import { FIRST_STRATEGY, type Strategy } from "./queries";
import styles from "./strategy-form.module.css";
import { testText } from "./text";

const KINDS = ["hybrid", "semantic", "full_text"] as const;
const EXPANDS = ["auto", "none", "1", "2"] as const;

type Props = {
  name: string | undefined;
  strategy: Strategy;
  hasTables: boolean;
  onChange: (strategy: Strategy) => void;
};

/** The settings of a search, as an agent has them. */
export function StrategyForm({ name, strategy, hasTables, onChange }: Props) {
  const text = useText(testText);
  const change = (part: Partial<Strategy>) => onChange({ ...strategy, ...part });
  return (
    <fieldset className={styles.fields}>
      {name && <legend className={styles.name}>{name}</legend>}
      <Segmented
        label={text.kind}
        value={strategy.kind}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={(kind) => change({ kind })}
      />
      <SliderField
        label={text.topK}
        value={strategy.topK}
        fallback={FIRST_STRATEGY.topK}
        min={1}
        max={20}
        step={1}
        onChange={(topK) => change({ topK: topK ?? FIRST_STRATEGY.topK })}
      />
      <SliderField
        label={text.minScore}
        value={strategy.minScore}
        fallback={FIRST_STRATEGY.minScore}
        min={0}
        max={1}
        step={0.01}
        onChange={(minScore) => change({ minScore: minScore ?? FIRST_STRATEGY.minScore })}
      />
      <NumberField
        label={text.maxTokens}
        value={strategy.maxTokens}
        min={100}
        max={100_000}
        step={100}
        placeholder={text.noLimit}
        onChange={(maxTokens) => change({ maxTokens })}
      />
      <Select
        label={text.expand}
        value={strategy.expand}
        options={EXPANDS.map((value) => ({ value, label: text.expands[value] }))}
        onChange={(expand) => change({ expand })}
      />
      <Switch
        label={text.rewrite}
        hint={text.rewriteHint}
        isOn={strategy.rewrites}
        onChange={(rewrites) => change({ rewrites })}
      />
      <Switch
        label={text.rerank}
        hint={text.rerankHint}
        isOn={strategy.reranks}
        onChange={(reranks) => change({ reranks })}
      />
      {hasTables && (
        <Switch
          label={text.sql}
          isOn={strategy.usesSql}
          onChange={(usesSql) => change({ usesSql })}
        />
      )}
    </fieldset>
  );
}
