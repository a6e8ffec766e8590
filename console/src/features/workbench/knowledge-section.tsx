import { useNavigate } from "@tanstack/react-router";
import { CircleCheck, Plus, Search } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useReading } from "../../agent/teach";
import { LessonProgress, UnreadFiles } from "../../agent/teaching";
import { knowledgeOf, strategyOf } from "../../retrieval/strategy";
import { StrategyForm } from "../../retrieval/strategy-form";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Select } from "../../ui/select/select";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import type { Draft, Edits } from "./edits";
import type { MadeBase } from "./new-base";
import { findBases } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

const NewBase = lazy(() => import("./new-base"));

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
  const canMake = may(useWorkspace(workspaceId), "dataset.write");
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeBase>();
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
      {made && bases.includes(made.id) && <BeingRead base={made} />}
      {canMake && (
        <div>
          <Button
            kind={bases.length === 0 ? "plain" : "quiet"}
            size="compact"
            icon={<Plus size={14} />}
            onClick={() => setMaking(true)}
          >
            {text.make}
          </Button>
        </div>
      )}
      <Suspense>
        {isMaking && (
          <NewBase
            workspaceId={workspaceId}
            onMade={(base) => {
              chosen.set(base.id, base.name);
              set({ datasets: [...bases, base.id] });
              setMade(base);
              setMaking(false);
            }}
            onClose={() => setMaking(false)}
          />
        )}
      </Suspense>
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

/** How far the files of a base are that was made here: it can be asked about what is read. */
function BeingRead({ base }: { base: MadeBase }) {
  const text = useText(workbenchText).knowledge.making;
  const read = useReading(base.id);
  if (!read?.isOver) return <LessonProgress sent={1} read={read} count={base.files} />;
  const count = read.done - read.failed.length;
  return (
    <>
      <UnreadFiles failed={read.failed} />
      {count > 0 && (
        <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
          {text.read(count)}
        </StateBadge>
      )}
    </>
  );
}

/** Names of bases that were chosen since the agent was loaded. */
const chosen = new Map<string, string>();
