import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ErrorLine } from "../../ui/error-state/error-line";
import type { Draft } from "./edits";
import { moved } from "./moved";
import { Section } from "./section";
import { type Shortcut, useShortcutChanges, useShortcuts } from "./shortcuts";
import styles from "./shortcuts-section.module.css";
import { workbenchText } from "./text";

const ShortcutDialog = lazy(() => import("./shortcut-dialog"));

type Props = {
  draft: Draft;
  /** Waits until what was edited is what the draft is. */
  saved: () => Promise<void>;
  onChanged: () => Promise<void>;
};

/** Prepared questions above the field in which people write. */
export function ShortcutsSection({ draft, saved, onChanged }: Props) {
  const text = useText(workbenchText).shortcuts;
  const shortcuts = useShortcuts(draft.id) ?? [];
  const canWrite = may(useWorkspace(draft.workspace_id), "bot.write");
  const { save, remove, reorder } = useShortcutChanges(draft.id, onChanged);
  const [edited, setEdited] = useState<Shortcut | "new">();
  const failure = failureOf(remove.error ?? reorder.error);
  const isBusy = remove.isPending || reorder.isPending;
  function move(at: number, by: -1 | 1): void {
    if (isBusy) return;
    void saved().then(() => reorder.mutate(moved(shortcuts, at, by).map(({ id }) => id)));
  }
  return (
    <Section
      part="shortcuts"
      title={text.title}
      state={shortcuts.length > 0 ? text.count(shortcuts.length) : text.none}
    >
      {shortcuts.length > 0 && (
        <ol className={styles.list}>
          {shortcuts.map((shortcut, at) => (
            <li key={shortcut.id} className={styles.item}>
              <span className={styles.words}>
                <span className={styles.name}>
                  {shortcut.name}
                  {shortcut.command && <code>/{shortcut.command.replace(/^\//, "")}</code>}
                </span>
                <span className={styles.note}>
                  {shortcut.send_type === "panel"
                    ? text.fieldCount(shortcut.components.length)
                    : shortcut.template_query}
                </span>
              </span>
              {canWrite && (
                <span className={styles.tools}>
                  <IconButton
                    size="compact"
                    label={text.up(shortcut.name)}
                    icon={<ArrowUp size={14} />}
                    disabled={at === 0}
                    onClick={() => move(at, -1)}
                  />
                  <IconButton
                    size="compact"
                    label={text.down(shortcut.name)}
                    icon={<ArrowDown size={14} />}
                    disabled={at === shortcuts.length - 1}
                    onClick={() => move(at, 1)}
                  />
                  <IconButton
                    size="compact"
                    label={text.edit(shortcut.name)}
                    icon={<Pencil size={14} />}
                    onClick={() => setEdited(shortcut)}
                  />
                  <IconButton
                    size="compact"
                    label={text.remove(shortcut.name)}
                    icon={<Trash2 size={14} />}
                    onClick={() => !isBusy && void saved().then(() => remove.mutate(shortcut))}
                  />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {failure && <ErrorLine failure={failure} />}
      {canWrite && (
        <div>
          <Button size="compact" icon={<Plus size={14} />} onClick={() => setEdited("new")}>
            {text.add}
          </Button>
        </div>
      )}
      <Suspense>
        {edited && (
          <ShortcutDialog
            draft={draft}
            shortcut={edited === "new" ? undefined : edited}
            isPending={save.isPending}
            failure={failureOf(save.error)}
            onSave={(fields) =>
              void saved().then(() =>
                save.mutate(
                  { ...fields, id: edited === "new" ? undefined : edited.id },
                  { onSuccess: () => setEdited(undefined) },
                ),
              )
            }
            onClose={() => {
              save.reset();
              setEdited(undefined);
            }}
          />
        )}
      </Suspense>
    </Section>
  );
}
