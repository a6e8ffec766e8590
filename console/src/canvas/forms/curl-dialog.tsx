import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { canvasText } from "../text";
import { type CurlRequest, readCurl } from "./curl";

type Props = { onTake: (request: CurlRequest) => void; onClose: () => void };

/** Fills a call in from a command, as documentation and browsers give it. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CurlDialog({ onTake, onClose }: Props) {
  const text = useText(canvasText).http;
  const { cancel } = useText(uiText);
  const [typed, setTyped] = useState("");
  const read = readCurl(typed.trim());
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.curl}
      description={text.curlWhy}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            disabled={!read}
            onClick={() => {
              if (read) onTake(read);
              onClose();
            }}
          >
            {text.curlTake}
          </Button>
        </>
      }
    >
      <TextArea
        label={text.curlCommand}
        isCode
        autoFocus
        spellCheck={false}
        value={typed}
        error={typed.trim() && !read ? text.noCurl : undefined}
        hint={read ? `${read.method} ${read.url}` : undefined}
        onChange={setTyped}
      />
    </Dialog>
  );
}
