import { UserRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { Switch } from "../../ui/switch/switch";
import type { Draft, Edits } from "./edits";
import { useModels } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

const RememberedDialog = lazy(() => import("./remembered-dialog"));

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

/** What is remembered of conversations and people. */
export function MemorySection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).memory;
  const { memory } = draft;
  const models = useModels();
  const [isOpen, setOpen] = useState(false);
  const maySee = may(useWorkspace(draft.workspace_id), "variable");
  const on = [
    ...(memory.summary ? [text.short.summary] : []),
    ...(memory.long_term ? [text.short.longTerm] : []),
  ];
  const own = { value: "", label: text.ownModel };
  const options = [
    own,
    ...(models ?? []).map((each) => ({
      value: each.id,
      label: each.display.name,
      note: each.provider,
    })),
  ];
  return (
    <Section part="memory" title={text.title} state={on.length > 0 ? text.on(on) : text.off}>
      <Switch
        label={text.summary}
        hint={text.summaryHint}
        isOn={memory.summary ?? false}
        onChange={(summary) => onEdit({ memory: { summary } })}
      />
      <Switch
        label={text.longTerm}
        hint={text.longTermHint}
        isOn={memory.long_term ?? false}
        onChange={(long_term) => onEdit({ memory: { long_term } })}
      />
      {on.length > 0 && (
        <Combobox
          label={text.model}
          hint={text.modelHint}
          value={
            options.find((each) => each.value === (memory.model_id ?? "")) ?? {
              value: memory.model_id ?? "",
              label: memory.model_id ?? "",
            }
          }
          options={options}
          onChange={(next) => next && onEdit({ memory: { model_id: next.value || null } })}
        />
      )}
      {maySee && (
        <div>
          <Button size="compact" icon={<UserRound size={14} />} onClick={() => setOpen(true)}>
            {text.remembered}
          </Button>
        </div>
      )}
      <Suspense>
        {isOpen && <RememberedDialog draft={draft} onClose={() => setOpen(false)} />}
      </Suspense>
    </Section>
  );
}
