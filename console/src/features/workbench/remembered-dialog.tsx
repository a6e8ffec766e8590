import { RotateCcw, Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { KeptLine } from "../../agent/kept-line";
import { failureOf } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { may, useSession, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Ago } from "../../ui/time/ago";
import type { Draft } from "./edits";
import { findUsers, useRemembered } from "./remembered";
import styles from "./remembered-dialog.module.css";
import { workbenchText } from "./text";

type Props = { draft: Draft; onClose: () => void };

/** What the draft keeps of one person who tried it: values of variables, and memories. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function RememberedDialog({ draft, onClose }: Props) {
  const text = useText(workbenchText).remembered;
  const { user: me } = useSession();
  const nameOf = useMemberNames(draft.workspace_id);
  const [user, setUser] = useState<ComboboxOption>({ value: me.id, label: text.me });
  const find = useCallback(
    async (q: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
      const found = await findUsers(draft.id, q, signal);
      return found.map(({ end_user_id: id, variables, memories }) => ({
        value: id,
        label: id === me.id ? text.me : nameOf(id) || id,
        note: text.counts(variables, memories),
      }));
    },
    [draft.id, me.id, nameOf, text],
  );
  return (
    <Dialog
      isOpen
      isForReading
      size="wide"
      onClose={onClose}
      title={text.title}
      description={text.why}
    >
      <Combobox
        label={text.user}
        value={user}
        options={find}
        onChange={(next) => next && setUser(next)}
      />
      <Kept key={user.value} draft={draft} userId={user.value} />
    </Dialog>
  );
}

function Kept({ draft, userId }: { draft: Draft; userId: string }) {
  const text = useText(workbenchText).remembered;
  const canWrite = may(useWorkspace(draft.workspace_id), "variable");
  const { variables, memories, setValue, reset, rewrite, forget, forgetAll } = useRemembered(
    draft.id,
    userId,
  );
  const failure = failureOf(
    variables.error ??
      memories.error ??
      setValue.error ??
      reset.error ??
      rewrite.error ??
      forget.error ??
      forgetAll.error,
  );
  return (
    <>
      <section className={styles.part}>
        <h3>{text.variables}</h3>
        {variables.data?.items.length === 0 && <p className={styles.note}>{text.noVariables}</p>}
        {variables.data?.items.map(({ keyword, value }) => (
          <KeptLine
            key={keyword}
            name={keyword}
            value={value}
            canWrite={canWrite}
            onChange={(next) => setValue.mutate({ keyword, value: next })}
          >
            {canWrite && value !== "" && (
              <IconButton
                size="compact"
                label={text.reset(keyword)}
                icon={<RotateCcw size={14} />}
                onClick={() => reset.mutate(keyword)}
              />
            )}
          </KeptLine>
        ))}
      </section>
      <section className={styles.part}>
        <div className={styles.head}>
          <h3>{text.memories}</h3>
          {canWrite && Boolean(memories.data?.items.length) && (
            <Button
              size="compact"
              kind="quiet"
              isLoading={forgetAll.isPending}
              onClick={() => forgetAll.mutate()}
            >
              {text.forgetAll}
            </Button>
          )}
        </div>
        {memories.data?.items.length === 0 && (
          <p className={styles.note}>{draft.memory.long_term ? text.noMemories : text.isOff}</p>
        )}
        {memories.data?.items.map((each) => (
          <KeptLine
            key={each.id}
            name={<Ago at={each.updated_at} />}
            value={each.text}
            canWrite={canWrite}
            onChange={(next) => rewrite.mutate({ id: each.id, text: next })}
          >
            {canWrite && (
              <IconButton
                size="compact"
                label={text.forget(each.text)}
                icon={<Trash2 size={14} />}
                onClick={() => forget.mutate(each.id)}
              />
            )}
          </KeptLine>
        ))}
      </section>
      {failure && <ErrorLine failure={failure} />}
    </>
  );
}
