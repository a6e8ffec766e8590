import type { OAuthAppCreated } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { Command } from "../../ui/text-field/command";
import styles from "./settings.module.css";
import { settingsText } from "./text";

type Props = { app: OAuthAppCreated; onClose: () => void };

/** What an application is configured with; its secret this once. */
export function AppShown({ app, onClose }: Props) {
  const { apps: text } = useText(settingsText);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isExplicit
      title={text.shownTitle(app.name)}
      description={app.secret ? text.shownSecret : text.shownWhy}
      actions={
        <Button kind="primary" onClick={onClose}>
          {text.doneVerb}
        </Button>
      }
    >
      <div className={styles.dialog}>
        <div className={styles.shown}>
          <p className={styles.label}>{text.clientId}</p>
          <Command command={app.client_id} />
        </div>
        {app.secret && (
          <div className={styles.shown}>
            <p className={styles.label}>{text.secret}</p>
            <Command command={app.secret} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
