import { Power, PowerOff, RefreshCw, Scissors, Tag, Trash2 } from "lucide-react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ChosenBar } from "../../../ui/list/chosen-bar";
import { toast } from "../../../ui/toast/toasts";
import styles from "./bulk-bar.module.css";
import type { Asked } from "./document-dialogs";
import { type Batch, type Document, useBatch } from "./queries";
import { baseText } from "./text";

const WEB_PAGE = 1;

/** As many as the server changes at once. */
const MOST = 100;

type Props = {
  baseId: string;
  documents: readonly Document[];
  onClear: () => void;
  onAsk: (asked: Asked) => void;
};

/** What can be done with the chosen documents together. */
export function BulkBar({ baseId, documents, onClear, onAsk }: Props) {
  const { documents: text } = useText(baseText);
  const { mutate, isPending, error } = useBatch(baseId);
  const failure = failureOf(error);
  const isTooMany = documents.length > MOST;
  function change(action: Batch["action"]): void {
    const ids = documents.map((document) => document.id);
    mutate(
      { ids, action },
      {
        onSuccess: () => {
          toast(text.done(ids.length));
          onClear();
        },
      },
    );
  }
  return (
    <ChosenBar count={text.chosen(documents.length)} clear={text.clearChoice} onClear={onClear}>
      {isTooMany ? (
        <span className={styles.note}>{text.most(MOST)}</span>
      ) : (
        <>
          <Button
            size="compact"
            icon={<Power size={14} />}
            isLoading={isPending}
            onClick={() => change("enable")}
          >
            {text.enable}
          </Button>
          <Button
            size="compact"
            icon={<PowerOff size={14} />}
            isLoading={isPending}
            onClick={() => change("disable")}
          >
            {text.disable}
          </Button>
          <Button
            size="compact"
            icon={<Tag size={14} />}
            onClick={() => onAsk({ kind: "tag", documents })}
          >
            {text.tag}
          </Button>
          <Button
            size="compact"
            icon={<Scissors size={14} />}
            isLoading={isPending}
            onClick={() => change("resegment")}
          >
            {text.resegment}
          </Button>
          {documents.every((document) => document.source_type === WEB_PAGE) && (
            <Button
              size="compact"
              icon={<RefreshCw size={14} />}
              isLoading={isPending}
              onClick={() => change("refetch")}
            >
              {text.refetch}
            </Button>
          )}
          <Button
            size="compact"
            icon={<Trash2 size={14} />}
            onClick={() => onAsk({ kind: "delete", documents })}
          >
            {text.removeManyVerb}
          </Button>
        </>
      )}
      {failure && <ErrorLine failure={failure} />}
    </ChosenBar>
  );
}
