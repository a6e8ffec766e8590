import { RefreshCw } from "lucide-react";
import { failureOf } from "../../../api/list";
import type { ServerToolList as ServerOffer } from "../../../api/schema";
import { ServerToolList, useTaken } from "../../../plugin/server-tool-list";
import { pluginImportText } from "../../../plugin/text";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { uiText } from "../../../ui/text";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import { useAccept, useInspect } from "./queries";
import styles from "./server-tools.module.css";
import { pluginText } from "./text";

/** Asks an MCP server for its tools; what somebody has looked at is taken. */
export function ServerTools({ plugin }: { plugin: Plugin }) {
  const { server: text } = useText(pluginText);
  // What the dialog waits for would close it: all words are here before it opens.
  useText(pluginImportText);
  const inspect = useInspect(plugin.id);
  const failure = failureOf(inspect.error);
  return (
    <div className={styles.bar}>
      <p className={styles.note}>{plugin.tool_count === 0 ? text.first : text.why}</p>
      <Button
        icon={<RefreshCw size={16} />}
        isLoading={inspect.isPending}
        onClick={() => inspect.mutate()}
      >
        {text.inspect}
      </Button>
      {failure && <ErrorLine failure={failure} />}
      {inspect.data && <Offered plugin={plugin} list={inspect.data} onClose={inspect.reset} />}
    </div>
  );
}

type OfferedProps = { plugin: Plugin; list: ServerOffer; onClose: () => void };

function Offered({ plugin, list, onClose }: OfferedProps) {
  const { server: text } = useText(pluginText);
  const { cancel } = useText(uiText);
  const accept = useAccept(plugin.id);
  const failure = failureOf(accept.error);
  const changed = list.items.filter((tool) => tool.change !== "same");
  const { taken, take } = useTaken(changed);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={text.title}
      description={changed.length > 0 ? text.choose : text.same(list.total)}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {changed.length > 0 && (
            <Button
              kind="primary"
              disabled={taken.size === 0}
              isLoading={accept.isPending}
              onClick={() =>
                accept.mutate(
                  { digest: list.digest, names: [...taken] },
                  {
                    onSuccess: () => {
                      toast(text.accepted(taken.size));
                      onClose();
                    },
                  },
                )
              }
            >
              {text.accept(taken.size)}
            </Button>
          )}
        </>
      }
    >
      {failure && <ErrorLine failure={failure} />}
      <ServerToolList tools={changed} taken={taken} onTake={take} />
    </Dialog>
  );
}
