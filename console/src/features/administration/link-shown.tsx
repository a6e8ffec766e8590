import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { Command } from "../../ui/text-field/command";
import { administrationText } from "./text";

type Props = { name: string; url: string; onClose: () => void };

/** The link by which somebody gets into an account, this once. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function LinkShown({ name, url, onClose }: Props) {
  const { users: text } = useText(administrationText);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isExplicit
      title={text.linkTitle(name)}
      description={text.linkWhy}
      actions={
        <Button kind="primary" onClick={onClose}>
          {text.doneVerb}
        </Button>
      }
    >
      <Command command={url} />
    </Dialog>
  );
}
