import { Bot } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { formatCompact } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { SliderField } from "../../ui/slider/slider-field";
import { Switch } from "../../ui/switch/switch";
import type { Draft, Edits } from "./edits";
import { ModelSettings } from "./model-settings";
import { useChosenModel, useModels } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Change = NonNullable<Edits["model"]>;

const ICON = <Bot size={14} strokeWidth={1.5} />;
/** By their numbers; an own temperature is the first. */
const STYLES = ["custom", "creative", "balanced", "precise"] as const;
const FORMATS = ["text", "markdown", "json"] as const;
const CHOICES = ["auto", "required", "none"] as const;
const MOST_ROUNDS = 100;

/** Numbers between two bounds, by their name on the wire. */
const SLIDERS = [
  { name: "temperature", fallback: 0.7, min: 0, max: 2, step: 0.1 },
  { name: "top_p", fallback: 1, min: 0, max: 1, step: 0.05 },
  { name: "presence_penalty", fallback: 0, min: -2, max: 2, step: 0.1 },
  { name: "frequency_penalty", fallback: 0, min: -2, max: 2, step: 0.1 },
] as const;

/** Settings that are empty where the model's own ones hold; new agents come with rounds of history. */
const OWN = [...SLIDERS.map(({ name }) => name), "max_tokens", "top_k", "response_format"] as const;

/** Which model answers, and how. */
export function ModelSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).model;
  const models = useModels();
  const { model } = draft;
  const known = useChosenModel(model);
  const options = (models ?? []).map((each) => ({
    value: each.id,
    label: each.display.name,
    note: [
      each.provider,
      each.display.max_tokens && text.window(formatCompact(each.display.max_tokens)),
      each.capabilities.tools !== "none" && text.abilities.tools,
      each.capabilities.vision && text.abilities.vision,
      each.capabilities.reasoning && text.abilities.reasoning,
    ]
      .filter(Boolean)
      .join(" · "),
    icon: ICON,
  }));
  const named = options.find((option) => option.value === model.model_id) ?? {
    value: model.model_id ?? "",
    label: draft.model.model_name || text.default,
    icon: ICON,
  };
  const ignored = new Set(known?.ignored_parameters);
  const isIgnored = (name: string) => known?.provider === "offline" || ignored.has(name);
  const why = known?.provider === "offline" ? text.offline : text.ignored;
  const set = (change: Change) => onEdit({ model: change });
  const reset = (name: keyof Change): ReactNode =>
    model[name] !== null && (
      <Button kind="quiet" size="compact" onClick={() => set({ [name]: null })}>
        {text.reset}
      </Button>
    );
  const slider = ({ name, ...bounds }: (typeof SLIDERS)[number]) => (
    <SliderField
      key={name}
      label={text.parameters[name]}
      {...bounds}
      value={model[name] ?? undefined}
      isDisabled={isIgnored(name)}
      hint={isIgnored(name) ? why : undefined}
      aside={reset(name)}
      onChange={(value) => set({ [name]: value ?? null })}
    />
  );
  const [temperature, topP, presence, frequency] = SLIDERS;
  const style = STYLES[Number(model.style ?? 0)] ?? "custom";
  const choice = CHOICES.find((each) => each === model.tool_choice);
  const own =
    OWN.filter((name) => (model[name] ?? null) !== null).length +
    Number(style !== "custom") +
    Number((model.tool_choice ?? "auto") !== "auto") +
    Number(model.lock_model_params ?? false) +
    Object.keys(model.parameters ?? {}).length;
  return (
    <Section part="model" title={text.title} state={named.label} isOpen>
      <Combobox
        label={text.label}
        isLabelHidden
        value={named}
        options={options}
        onChange={(next) => next && set({ model_id: next.value })}
      />
      <ModelSettings
        state={text.own(own)}
        parameters={model.parameters ?? {}}
        onChange={(parameters) => set({ parameters })}
      >
        <Select
          label={text.style}
          value={style}
          options={STYLES.map((value) => ({ value, label: text.styles[value] }))}
          isDisabled={isIgnored("temperature")}
          onChange={(next) =>
            set({ style: STYLES.indexOf(next), ...(next !== "custom" && { temperature: null }) })
          }
        />
        {style === "custom" && slider(temperature)}
        {slider(topP)}
        <NumberField
          label={text.maxTokens}
          value={model.max_tokens ?? undefined}
          min={1}
          unit={text.tokens}
          placeholder={known ? String(known.display.output_tokens) : text.byModel}
          aside={reset("max_tokens")}
          onChange={(value) => set({ max_tokens: value ?? null })}
        />
        <NumberField
          label={text.rounds}
          hint={text.roundsHint}
          value={model.history_rounds ?? undefined}
          min={0}
          max={MOST_ROUNDS}
          aside={reset("history_rounds")}
          onChange={(value) => set({ history_rounds: value ?? null })}
        />
        {slider(presence)}
        {slider(frequency)}
        <NumberField
          label={text.topK}
          value={model.top_k ?? undefined}
          min={0}
          placeholder={text.byModel}
          isDisabled={isIgnored("top_k")}
          hint={isIgnored("top_k") ? why : undefined}
          aside={reset("top_k")}
          onChange={(value) => set({ top_k: value ?? null })}
        />
        <Select
          label={text.format}
          value={FORMATS[Number(model.response_format ?? 0)] ?? "text"}
          options={FORMATS.map((value) => ({ value, label: text.formats[value] }))}
          onChange={(next) =>
            set({ response_format: next === "text" ? null : FORMATS.indexOf(next) })
          }
        />
        <Select
          label={text.toolChoice}
          value={choice ?? model.tool_choice ?? "auto"}
          options={[
            ...CHOICES.map((value) => ({ value, label: text.toolChoices[value] })),
            ...(choice ? [] : [{ value: model.tool_choice ?? "", label: model.tool_choice ?? "" }]),
          ]}
          onChange={(tool_choice) => set({ tool_choice })}
        />
        <Switch
          label={text.lock}
          hint={text.lockHint}
          isOn={model.lock_model_params ?? false}
          onChange={(lock_model_params) => set({ lock_model_params })}
        />
      </ModelSettings>
    </Section>
  );
}
