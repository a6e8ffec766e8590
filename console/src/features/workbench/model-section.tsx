import { Bot } from "lucide-react";
import { useText } from "../../text/catalogue";
import { formatCompact } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { NumberField } from "../../ui/number/number-field";
import { SliderField } from "../../ui/slider/slider-field";
import type { Draft, Edits } from "./edits";
import { useModels } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Change = NonNullable<Edits["model"]>;

const ICON = <Bot size={14} strokeWidth={1.5} />;

/** Which model answers, and how. */
export function ModelSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).model;
  const models = useModels();
  const { model } = draft;
  const options = (models ?? []).map((each) => ({
    value: each.id,
    label: each.display.name,
    note: [each.provider, each.display.max_tokens && formatCompact(each.display.max_tokens)]
      .filter(Boolean)
      .join(" · "),
    icon: ICON,
  }));
  const chosen = options.find((option) => option.value === model.model_id);
  const named = chosen ?? {
    value: model.model_id ?? "",
    label: draft.model.model_name || text.default,
    icon: ICON,
  };
  const set = (change: Change) => onEdit({ model: change });
  const reset = (name: keyof Change) =>
    model[name] !== null && (
      <Button kind="quiet" size="compact" onClick={() => set({ [name]: null })}>
        {text.reset}
      </Button>
    );
  return (
    <Section title={text.title} state={named.label} isOpen>
      <Combobox
        label={text.label}
        isLabelHidden
        value={named}
        options={options}
        onChange={(next) => next && set({ model_id: next.value })}
      />
      <SliderField
        label={text.temperature}
        value={model.temperature ?? undefined}
        fallback={0.7}
        min={0}
        max={2}
        step={0.1}
        aside={reset("temperature")}
        onChange={(value) => set({ temperature: value ?? null })}
      />
      <SliderField
        label={text.topP}
        value={model.top_p ?? undefined}
        fallback={1}
        min={0}
        max={1}
        step={0.05}
        aside={reset("top_p")}
        onChange={(value) => set({ top_p: value ?? null })}
      />
      <NumberField
        label={text.maxTokens}
        value={model.max_tokens ?? undefined}
        min={1}
        unit={text.tokens}
        placeholder={text.byModel}
        onChange={(value) => set({ max_tokens: value ?? null })}
      />
      <NumberField
        label={text.rounds}
        hint={text.roundsHint}
        value={model.history_rounds ?? undefined}
        min={0}
        max={100}
        onChange={(value) => set({ history_rounds: value ?? null })}
      />
    </Section>
  );
}
