import { SlidersHorizontal } from "lucide-react";
import { useCallback } from "react";
import { useMemberNames } from "../../api/members";
import { may, useSession, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Popover } from "../../ui/popover/popover";
import { TextField } from "../../ui/text-field/text-field";
import type { Draft } from "./edits";
import { useModels } from "./queries";
import { findUsers } from "./remembered";
import { workbenchText } from "./text";
import styles from "./try-settings.module.css";

/** What holds for the chat with the draft alone; nothing of it is stored with the agent. */
export type Trying = {
  /** Whose variables and memories count; nobody: one's own. */
  userId: string;
  /** Instead of the model of the draft. */
  modelId: string;
  variables: Readonly<Record<string, string>>;
};

export const AS_IT_IS: Trying = { userId: "", modelId: "", variables: {} };

type Props = { draft: Draft; trying: Trying; onChange: (trying: Trying) => void };

/** As whom, with which model and which values the draft is asked. */
export function TrySettings({ draft, trying, onChange }: Props) {
  const text = useText(workbenchText).trying;
  const { user: me } = useSession();
  const models = useModels();
  const nameOf = useMemberNames(draft.workspace_id);
  const maySeeUsers = may(useWorkspace(draft.workspace_id), "variable");
  const find = useCallback(
    async (q: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
      const own = { value: "", label: text.me };
      const found = maySeeUsers ? await findUsers(draft.id, q, signal) : [];
      const others = found
        .filter(({ end_user_id: id }) => id !== me.id)
        .map(({ end_user_id: id }) => ({ value: id, label: nameOf(id) || id }));
      const typed = q.trim();
      const isNew = typed && !others.some(({ value }) => value === typed);
      return [
        own,
        ...others,
        ...(isNew ? [{ value: typed, label: typed, note: text.newUser }] : []),
      ];
    },
    [draft.id, me.id, nameOf, maySeeUsers, text],
  );
  const ofDraft = { value: "", label: text.ofDraft };
  const options = [
    ofDraft,
    ...(models ?? []).map((each) => ({
      value: each.id,
      label: each.display.name,
      note: each.provider,
    })),
  ];
  const isChanged = trying.userId || trying.modelId || Object.keys(trying.variables).length > 0;
  const named = draft.variables.filter((each) => !each.is_system && !each.is_disabled);
  return (
    <Popover
      label={text.title}
      align="end"
      trigger={
        <IconButton
          size="compact"
          label={text.title}
          aria-pressed={Boolean(isChanged)}
          icon={<SlidersHorizontal size={16} />}
        />
      }
    >
      <div className={styles.settings}>
        <Combobox
          label={text.user}
          hint={text.userHint}
          value={{
            value: trying.userId,
            label: trying.userId ? nameOf(trying.userId) || trying.userId : text.me,
          }}
          options={find}
          onChange={(next) => next && onChange({ ...trying, userId: next.value })}
        />
        <Combobox
          label={text.model}
          value={options.find(({ value }) => value === trying.modelId) ?? ofDraft}
          options={options}
          onChange={(next) => next && onChange({ ...trying, modelId: next.value })}
        />
        {named.map(({ key, default_value: usual }) => (
          <TextField
            key={key}
            label={key}
            placeholder={usual}
            value={trying.variables[key] ?? ""}
            onChange={(value) => onChange({ ...trying, variables: changed(trying, key, value) })}
          />
        ))}
        {isChanged && (
          <div>
            <Button size="compact" onClick={() => onChange(AS_IT_IS)}>
              {text.reset}
            </Button>
          </div>
        )}
      </div>
    </Popover>
  );
}

/** An empty field sets nothing. */
function changed({ variables }: Trying, key: string, value: string): Trying["variables"] {
  const { [key]: _, ...others } = variables;
  return value ? { ...others, [key]: value } : others;
}

/** What differs from the draft as its users would ask it, below the field. */
export function TryingLine({ trying, draft }: { trying: Trying; draft: Draft }) {
  const text = useText(workbenchText).trying;
  const nameOf = useMemberNames(draft.workspace_id);
  const model = useModels()?.find(({ id }) => id === trying.modelId);
  const count = Object.keys(trying.variables).length;
  const words = [
    trying.userId && text.as(nameOf(trying.userId) || trying.userId),
    model && text.by(model.display.name),
    count > 0 && text.values(count),
  ].filter(Boolean);
  return words.length > 0 ? <span className={styles.line}>{words.join(" · ")}</span> : null;
}
