import { ChevronRight } from "lucide-react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { NumberField } from "../ui/number/number-field";
import { Segmented } from "../ui/segmented/segmented";
import { Select } from "../ui/select/select";
import { SliderField } from "../ui/slider/slider-field";
import { Switch } from "../ui/switch/switch";
import { TextArea } from "../ui/text-field/text-area";
import { FilterBuilder } from "./filter-builder";
import { useModelChoices } from "./queries";
import { EXPANDS, FIRST_STRATEGY, KINDS, type Strategy, THRESHOLDS } from "./strategy";
import styles from "./strategy-form.module.css";
import { retrievalText } from "./text";

type Props = {
  name?: string | undefined;
  strategy: Strategy;
  onChange: (change: Partial<Strategy>) => void;
};

const MOST_SLICES = 20;
const MOST_TOKENS = 100_000;
const MOST_WORDINGS = 5;

/** Every setting of a search: the few that matter first, the others below. */
export function StrategyForm({ name, strategy, onChange }: Props) {
  const text = useText(retrievalText);
  return (
    <fieldset className={styles.fields}>
      {name && <legend className={styles.name}>{name}</legend>}
      <Segmented
        label={text.kind}
        isLabelShown
        value={strategy.kind}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={(kind) => onChange({ kind })}
      />
      <SliderField
        label={text.topK}
        value={strategy.topK}
        fallback={FIRST_STRATEGY.topK}
        min={1}
        max={MOST_SLICES}
        step={1}
        onChange={(topK) => onChange({ topK: topK ?? FIRST_STRATEGY.topK })}
      />
      <SliderField
        label={text.minScore}
        value={strategy.minScore}
        fallback={FIRST_STRATEGY.minScore}
        min={0}
        max={1}
        step={0.01}
        onChange={(minScore) => onChange({ minScore: minScore ?? FIRST_STRATEGY.minScore })}
      />
      <Switch
        label={text.rewrite}
        hint={text.rewriteHint}
        isOn={strategy.rewrites}
        onChange={(rewrites) => onChange({ rewrites })}
      />
      <Switch
        label={text.rerank}
        hint={text.rerankHint}
        isOn={strategy.reranks}
        onChange={(reranks) => onChange({ reranks })}
      />
      {strategy.reranks && <Reranking strategy={strategy} onChange={onChange} />}
      <Switch
        label={text.sql}
        isOn={strategy.usesSql}
        onChange={(usesSql) => onChange({ usesSql })}
      />
      <details className={styles.more}>
        <summary className={styles.summary}>
          <ChevronRight size={14} className={styles.fold} />
          {text.more}
        </summary>
        <div className={styles.rest}>
          <More strategy={strategy} onChange={onChange} />
        </div>
      </details>
    </fieldset>
  );
}

type PartProps = Omit<Props, "name">;

function Reranking({ strategy, onChange }: PartProps) {
  const text = useText(retrievalText);
  const models = useModelChoices("rerank", true);
  return (
    <div className={styles.below}>
      <Select
        label={text.rerankModel}
        value={strategy.rerankModel}
        options={withDefault(models, strategy.rerankModel, text.byDefault)}
        onChange={(rerankModel) => onChange({ rerankModel })}
      />
      <SliderField
        label={text.rerankWeight}
        value={strategy.rerankWeight}
        fallback={1}
        min={0}
        max={1}
        step={0.05}
        onChange={(rerankWeight) => onChange({ rerankWeight: rerankWeight ?? 1 })}
      />
    </div>
  );
}

function More({ strategy, onChange }: PartProps) {
  const text = useText(retrievalText);
  return (
    <>
      {strategy.kind === "hybrid" && (
        <SliderField
          label={text.weight}
          hint={text.weightHint}
          value={strategy.weight}
          fallback={0.5}
          min={0}
          max={1}
          step={0.05}
          aside={
            strategy.weight !== undefined && (
              <Button kind="quiet" size="compact" onClick={() => onChange({ weight: undefined })}>
                {text.reset}
              </Button>
            )
          }
          onChange={(weight) => onChange({ weight })}
        />
      )}
      <Select
        label={text.threshold}
        value={strategy.threshold}
        options={THRESHOLDS.map((value) => ({ value, label: text.thresholds[value] }))}
        onChange={(threshold) => onChange({ threshold })}
      />
      <Select
        label={text.expand}
        value={strategy.expand}
        options={EXPANDS.map((value) => ({ value, label: text.expands[value] }))}
        onChange={(expand) => onChange({ expand })}
      />
      <NumberField
        label={text.maxTokens}
        value={strategy.maxTokens}
        min={100}
        max={MOST_TOKENS}
        step={100}
        placeholder={text.noLimit}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
      <SliderField
        label={text.expansion}
        hint={text.expansionHint}
        value={strategy.expansion}
        fallback={0}
        min={0}
        max={MOST_WORDINGS}
        step={1}
        onChange={(expansion) => onChange({ expansion: expansion ?? 0 })}
      />
      {strategy.expansion > 0 && <Wordings strategy={strategy} onChange={onChange} />}
      <Switch
        label={text.personal}
        isOn={strategy.isPersonal}
        onChange={(isPersonal) => onChange({ isPersonal })}
      />
      <FilterBuilder filter={strategy.filter} onChange={(filter) => onChange({ filter })} />
    </>
  );
}

function Wordings({ strategy, onChange }: PartProps) {
  const text = useText(retrievalText);
  const models = useModelChoices("llm", true);
  return (
    <div className={styles.below}>
      <Select
        label={text.expansionModel}
        value={strategy.expansionModel}
        options={withDefault(models, strategy.expansionModel, text.byDefault)}
        onChange={(expansionModel) => onChange({ expansionModel })}
      />
      <TextArea
        label={text.background}
        isShort
        value={strategy.background}
        onChange={(background) => onChange({ background })}
      />
    </div>
  );
}

type Choice = { value: string; label: string; note?: string };

/** The default first, and what is chosen even where it is no longer offered. */
function withDefault(models: readonly Choice[], chosen: string, label: string): Choice[] {
  const isKnown = chosen === "" || models.some((model) => model.value === chosen);
  return [{ value: "", label }, ...models, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}
