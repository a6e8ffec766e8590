import type { OAuthAppCreated } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import fields from "../../ui/field/fields.module.css";
import { Command } from "../../ui/text-field/command";
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
      <div className={fields.fields}>
        <Command label={text.clientId} command={app.client_id} />
        {app.secret && <Command label={text.secret} command={app.secret} />}
      </div>
    </Dialog>
  );
}
