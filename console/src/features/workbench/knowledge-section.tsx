import { useCallback } from "react";
import { useText } from "../../text/catalogue";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { SliderField } from "../../ui/slider/slider-field";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import type { Draft, Edits } from "./edits";
import { findBases } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Change = NonNullable<Edits["knowledge"]>;

const WAYS = { semantic: 0, hybrid: 1, text: 20 } as const;
const BY_MODEL = 0;
const BY_TEXT = 1;

/** What the agent may look into, and how it searches there. */
export function KnowledgeSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).knowledge;
  const { knowledge } = draft;
  const bases = (knowledge.datasets ?? []).map(String);
  const names = new Map(knowledge.dataset_infos.map((base) => [base.id, base.name]));
  const workspaceId = draft.workspace_id;
  const find = useCallback(
    (q: string, signal: AbortSignal) => findBases(workspaceId, q, signal),
    [workspaceId],
  );
  const set = (change: Change) => onEdit({ knowledge: change });
  const way =
    knowledge.search_strategy === WAYS.text
      ? "text"
      : knowledge.search_strategy === WAYS.hybrid
        ? "hybrid"
        : "semantic";
  return (
    <Section title={text.title} state={bases.length > 0 ? text.count(bases.length) : text.none}>
      <MultiCombobox
        label={text.bases}
        values={bases.map((id) => ({ value: id, label: names.get(id) ?? chosen.get(id) ?? id }))}
        options={find}
        onChange={(next) => {
          for (const base of next) chosen.set(base.value, base.label);
          set({ datasets: next.map((base) => base.value) });
        }}
      />
      {bases.length > 0 && (
        <>
          <Switch
            label={text.auto}
            hint={text.autoHint}
            isOn={knowledge.auto ?? true}
            onChange={(auto) => set({ auto })}
          />
          <Select
            label={text.way}
            value={way}
            options={[
              { value: "semantic", label: text.ways.semantic },
              { value: "hybrid", label: text.ways.hybrid },
              { value: "text", label: text.ways.text },
            ]}
            onChange={(next) => set({ search_strategy: WAYS[next] })}
          />
          <NumberField
            label={text.topK}
            value={knowledge.top_k ?? undefined}
            min={1}
            max={20}
            onChange={(top_k) => top_k !== undefined && set({ top_k })}
          />
          <SliderField
            label={text.minScore}
            value={knowledge.min_score ?? undefined}
            fallback={0.5}
            min={0}
            max={1}
            step={0.05}
            onChange={(min_score) => min_score !== undefined && set({ min_score })}
          />
          <Switch
            label={text.rewrite}
            hint={text.rewriteHint}
            isOn={knowledge.use_rewrite ?? false}
            onChange={(use_rewrite) => set({ use_rewrite })}
          />
          <Switch
            label={text.rerank}
            isOn={knowledge.use_rerank ?? false}
            onChange={(use_rerank) => set({ use_rerank })}
          />
          <Switch
            label={text.sources}
            isOn={knowledge.show_source ?? false}
            onChange={(show_source) => set({ show_source })}
          />
          <Select
            label={text.empty}
            value={knowledge.no_recall_reply_mode === BY_TEXT ? "text" : "model"}
            options={[
              { value: "model", label: text.emptyModel },
              { value: "text", label: text.emptyText },
            ]}
            onChange={(next) => set({ no_recall_reply_mode: next === "text" ? BY_TEXT : BY_MODEL })}
          />
          {knowledge.no_recall_reply_mode === BY_TEXT && (
            <TextArea
              label={text.emptyWords}
              isShort
              value={knowledge.no_recall_reply_customize_prompt ?? ""}
              onChange={(words) => set({ no_recall_reply_customize_prompt: words })}
            />
          )}
        </>
      )}
    </Section>
  );
}

/** Names of bases that were chosen since the agent was loaded. */
const chosen = new Map<string, string>();
