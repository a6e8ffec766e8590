import { failureOf } from "../../api/list";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { PictureChoice } from "../../ui/file/picture-choice";
import { toast } from "../../ui/toast/toasts";
import styles from "./account.module.css";
import { useSetPicture } from "./queries";
import { accountText } from "./text";

/** The picture beside the name: another one, or none. */
export function Picture() {
  const text = useText(accountText);
  const { user } = useSession();
  const { mutate, isPending, error } = useSetPicture();
  return (
    <div className={styles.picture}>
      <PictureChoice
        choose={text.choosePicture}
        remove={text.noPicture}
        hasPicture={!!user.avatar_url}
        isPending={isPending}
        failure={failureOf(error)}
        onChoose={(file) => mutate(file, { onSuccess: () => toast(text.pictureSet) })}
        onRemove={() => mutate(undefined, { onSuccess: () => toast(text.pictureGone) })}
      />
    </div>
  );
}
