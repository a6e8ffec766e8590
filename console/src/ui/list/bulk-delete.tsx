import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { Button } from "../button/button";
import Confirm from "../confirm/confirm";
import { toast } from "../toast/toasts";
import { bulkText } from "./bulk-text";
import { ChosenBar } from "./chosen-bar";

type Thing = { id: string; name: string; is_published?: boolean };

type Props<T> = {
  things: readonly T[];
  remove: (things: readonly T[]) => Promise<unknown>;
  /**
   * Brings them back: whoever deletes many at once has chosen one too many before long. Where it
   * cannot be done, and some are in use, the count has to be typed.
   */
  restore?: (things: readonly T[]) => Promise<unknown>;
  /** What is lost, where it is not a week to think better of it. */
  why?: string;
  onClear: () => void;
};

/** How many rows are chosen, and a way to delete them together and to have them back. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function BulkDelete<T extends Thing>(props: Props<T>) {
  const { things, remove, restore, onClear } = props;
  const text = useText(bulkText);
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: remove,
    onSuccess: (_, gone) => {
      const count = gone.length;
      const undo = restore && {
        label: text.undo,
        run: () =>
          void restore(gone).then(
            () => toast(text.restored(count)),
            () => toast(text.notRestored),
          ),
      };
      toast(text.removed(count), undo);
      setAsking(false);
      onClear();
    },
  });
  const published = things.filter((each) => each.is_published).map((each) => each.name);
  return (
    <ChosenBar count={text.chosen(things.length)} clear={text.clear} onClear={onClear}>
      <Button size="compact" icon={<Trash2 size={14} />} onClick={() => setAsking(true)}>
        {text.remove}
      </Button>
      {isAsking && (
        <Confirm
          isOpen
          title={text.title(things.length)}
          verb={text.verb(things.length)}
          name={!restore && published.length > 0 ? String(things.length) : undefined}
          isPending={isPending}
          failure={error ?? undefined}
          onClose={() => setAsking(false)}
          onConfirm={() => mutate(things)}
        >
          {published.length > 0 && `${text.published(formatNames(published))} `}
          {props.why ?? text.why}
        </Confirm>
      )}
    </ChosenBar>
  );
}
