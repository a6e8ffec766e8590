import { useNavigate } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { useCallback } from "react";
import { knowledgeOf, strategyOf } from "../../retrieval/strategy";
import { StrategyForm } from "../../retrieval/strategy-form";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import type { Draft, Edits } from "./edits";
import { findBases } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = {
  draft: Draft;
  onEdit: (edits: Edits) => void;
  /** Waits until what was edited is what the draft is. */
  saved: () => Promise<void>;
};
type Change = NonNullable<Edits["knowledge"]>;

/** In the order of their numbers. */
const EMPTY = ["model", "text", "direct"] as const;
const AS_LIST = 0;
const AS_CARDS = 1;

/** What the agent may look into, and how it searches there. */
export function KnowledgeSection({ draft, onEdit, saved }: Props) {
  const text = useText(workbenchText).knowledge;
  const navigate = useNavigate();
  const { knowledge } = draft;
  const bases = (knowledge.datasets ?? []).map(String);
  const names = new Map(knowledge.dataset_infos.map((base) => [base.id, base.name]));
  const workspaceId = draft.workspace_id;
  const find = useCallback(
    (q: string, signal: AbortSignal) => findBases(workspaceId, q, signal),
    [workspaceId],
  );
  const set = (change: Change) => onEdit({ knowledge: change });
  const test = async () => {
    await saved();
    await navigate({
      to: "/w/$workspaceId/knowledge/$baseId",
      params: { workspaceId, baseId: bases[0] ?? "" },
      search: { tab: "test", agent: draft.id },
    });
  };
  return (
    <Section
      part="knowledge"
      title={text.title}
      state={bases.length > 0 ? text.count(bases.length) : text.none}
    >
      <MultiCombobox
        label={text.bases}
        placeholder={text.choose}
        values={bases.map((id) => ({ value: id, label: names.get(id) ?? chosen.get(id) ?? id }))}
        options={find}
        onChange={(next) => {
          for (const base of next) chosen.set(base.value, base.label);
          set({ datasets: next.map((base) => base.value) });
        }}
      />
      {bases.length === 0 && (
        <div>
          <Button
            kind="quiet"
            size="compact"
            icon={<Plus size={14} />}
            onClick={() =>
              void navigate({ to: "/w/$workspaceId/knowledge", params: { workspaceId } })
            }
          >
            {text.make}
          </Button>
        </div>
      )}
      {bases.length > 0 && (
        <>
          <Switch
            label={text.auto}
            hint={text.autoHint}
            isOn={knowledge.auto ?? true}
            onChange={(auto) => set({ auto })}
          />
          <StrategyForm
            strategy={strategyOf(knowledge)}
            onChange={(change) => set(knowledgeOf(change))}
          />
          <Switch
            label={text.sources}
            isOn={knowledge.show_source ?? false}
            onChange={(show_source) => set({ show_source })}
          />
          {knowledge.show_source && (
            <Select
              label={text.sourcesAs}
              value={knowledge.show_source_mode === AS_CARDS ? "cards" : "list"}
              options={[
                { value: "list", label: text.asList },
                { value: "cards", label: text.asCards },
              ]}
              onChange={(next) => set({ show_source_mode: next === "cards" ? AS_CARDS : AS_LIST })}
            />
          )}
          <Select
            label={text.empty}
            value={EMPTY[Number(knowledge.no_recall_reply_mode)] ?? "model"}
            options={EMPTY.map((value) => ({ value, label: text.empties[value] }))}
            onChange={(next) => set({ no_recall_reply_mode: EMPTY.indexOf(next) })}
          />
          {knowledge.no_recall_reply_mode !== 0 && (
            <TextArea
              label={text.emptyWords}
              isShort
              value={knowledge.no_recall_reply_customize_prompt ?? ""}
              onChange={(words) => set({ no_recall_reply_customize_prompt: words })}
            />
          )}
          <div>
            <Button size="compact" icon={<Search size={14} />} onClick={() => void test()}>
              {text.test}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}

/** Names of bases that were chosen since the agent was loaded. */
const chosen = new Map<string, string>();
