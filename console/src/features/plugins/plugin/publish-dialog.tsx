import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Unsaved } from "../../../ui/form/unsaved";
import { uiText } from "../../../ui/text";
import { TextArea } from "../../../ui/text-field/text-area";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import { ChangeList } from "./change-list";
import { changesQuery, toolsQuery, usePublish } from "./queries";
import { pluginText } from "./text";

/** Shows what a new version changes, and makes it. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PublishDialog({
  plugin,
  onClose,
}: {
  plugin: Plugin;
  onClose: () => void;
}) {
  const { versions: text } = useText(pluginText);
  const { cancel } = useText(uiText);
  const changes = useQuery(changesQuery(plugin.id)).data;
  const tools = useQuery(toolsQuery(plugin.id)).data;
  const [note, setNote] = useState("");
  const [isForced, setForced] = useState(false);
  const publish = usePublish(plugin.id);
  const failure = failureOf(publish.error);
  const canBeTried = plugin.type === "http" || plugin.type === "mcp";
  const untried = canBeTried
    ? (tools?.items.filter((tool) => !tool.disabled && !tool.debugged).length ?? 0)
    : 0;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.publishTitle}
      description={text.publishWhy}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            disabled={!tools || (untried > 0 && !isForced)}
            isLoading={publish.isPending}
            onClick={() =>
              publish.mutate(
                { note: note.trim(), isForced },
                {
                  onSuccess: (version) => {
                    toast(text.published(version.version_name));
                    onClose();
                  },
                },
              )
            }
          >
            {text.publishVerb}
          </Button>
        </>
      }
    >
      {changes && <ChangeList changes={changes.items} />}
      <TextArea label={text.note} isShort value={note} onChange={setNote} maxLength={1000} />
      {untried > 0 && (
        <Checkbox label={text.untried(untried)} isChecked={isForced} onChange={setForced} />
      )}
      <Unsaved isUnsaved={note !== "" && !publish.isPending} />
      {failure && <ErrorLine failure={failure} labels={{ version_desc: text.note }} />}
    </Dialog>
  );
}
