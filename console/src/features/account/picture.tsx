import { useRef } from "react";
import { failureOf } from "../../api/list";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { toast } from "../../ui/toast/toasts";
import styles from "./account.module.css";
import { useSetPicture } from "./queries";
import { accountText } from "./text";

const KINDS = "image/png,image/jpeg,image/gif,image/webp";

/** The picture beside the name: another one, or none. */
export function Picture() {
  const text = useText(accountText);
  const { user } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useSetPicture();
  const failure = failureOf(error);
  return (
    <div className={styles.picture}>
      <div className={styles.buttons}>
        <Button size="compact" isLoading={isPending} onClick={() => input.current?.click()}>
          {text.choosePicture}
        </Button>
        {user.avatar_url && (
          <Button
            size="compact"
            kind="quiet"
            disabled={isPending}
            onClick={() => mutate(undefined, { onSuccess: () => toast(text.pictureGone) })}
          >
            {text.noPicture}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        aria-label={text.choosePicture}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) mutate(file, { onSuccess: () => toast(text.pictureSet) });
        }}
      />
      {failure && <ErrorLine failure={failure} />}
    </div>
  );
}
