import { pictureHere } from "../../api/client";
import { failureOf } from "../../api/list";
import type { WorkspaceItem } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { PictureChoice } from "../../ui/file/picture-choice";
import { Tile } from "../../ui/tile/tile";
import { toast } from "../../ui/toast/toasts";
import { useSetIcon } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

type Props = { saved: WorkspaceItem; canManage: boolean };

/** What the workspace is recognised by where people switch between theirs. */
export function Icon({ saved, canManage }: Props) {
  const { general: text } = useText(settingsText);
  const { mutate, isPending, error } = useSetIcon(saved.id);
  return (
    <div className={styles.icon}>
      <Tile size="large" name={saved.name} image={pictureHere(saved.icon_url)} />
      <div>
        <p className={styles.label}>{text.icon}</p>
        {canManage && (
          <>
            <p className={styles.note}>{text.iconHint}</p>
            <PictureChoice
              choose={text.chooseIcon}
              remove={text.noIcon}
              hasPicture={!!saved.icon_url}
              isPending={isPending}
              failure={failureOf(error)}
              onChoose={(file) => mutate(file, { onSuccess: () => toast(text.iconSet) })}
              onRemove={() => mutate(undefined, { onSuccess: () => toast(text.iconGone) })}
            />
          </>
        )}
      </div>
    </div>
  );
}
