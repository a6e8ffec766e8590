import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../api/list";
import { type SavedView, useChangePreferences, usePreferences } from "../../session/preferences";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { TextField } from "../../ui/text-field/text-field";
import { topText } from "./top-text";
import styles from "./views-dialog.module.css";

const NAME_CHARS = 60;
const MOST_VIEWS = 50;

type Props = {
  workspaceId: string;
  /** The filters that are set now, as a view keeps them; empty: none are. */
  search: string;
  onClose: () => void;
};

/** Keeps filters under a name, and takes views away. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ViewsDialog({ workspaceId, search, onClose }: Props) {
  const { views: text } = useText(topText);
  const all = usePreferences()?.run_views ?? [];
  const views = all.filter((view) => view.workspace_id === workspaceId);
  const { mutate, isPending, error } = useChangePreferences();
  const [name, setName] = useState("");
  const failure = failureOf(error);
  const isKept = views.some((view) => view.search === search);
  const isFull = all.length >= MOST_VIEWS;
  function keep(event: FormEvent): void {
    event.preventDefault();
    const view: SavedView = { workspace_id: workspaceId, name: name.trim(), search };
    mutate((before) => ({ ...before, run_views: [...(before.run_views ?? []), view] }), {
      onSuccess: onClose,
    });
  }
  function remove(gone: SavedView): void {
    mutate((before) => ({
      ...before,
      run_views: (before.run_views ?? []).filter(
        (view) => view.workspace_id !== workspaceId || view.search !== gone.search,
      ),
    }));
  }
  return (
    <Dialog isOpen onClose={onClose} title={text.title} description={text.why}>
      {search !== "" && !isKept && !isFull && (
        <Form entered={name} isSaving={isPending} className={styles.form} onSubmit={keep}>
          <TextField
            label={text.name}
            value={name}
            onChange={setName}
            maxLength={NAME_CHARS}
            autoComplete="off"
            autoFocus
            required
          />
          <Button kind="primary" type="submit" disabled={!name.trim()} isLoading={isPending}>
            {text.save}
          </Button>
        </Form>
      )}
      {isFull && <p className={styles.note}>{text.full(MOST_VIEWS)}</p>}
      {views.length === 0 && search === "" && <p className={styles.note}>{text.none}</p>}
      {views.length > 0 && (
        <ul aria-label={text.title} className={styles.views}>
          {views.map((view) => (
            <li key={view.search} className={styles.view}>
              <span className={styles.name}>{view.name}</span>
              <IconButton
                size="compact"
                label={text.remove(view.name)}
                icon={<Trash2 size={16} />}
                onClick={() => remove(view)}
              />
            </li>
          ))}
        </ul>
      )}
      {failure && <ErrorLine failure={failure} labels={{ run_views: text.title }} />}
    </Dialog>
  );
}
