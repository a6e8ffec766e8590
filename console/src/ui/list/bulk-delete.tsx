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

type Thing = { id: string; name: string; is_published: boolean };

type Props = {
  things: readonly Thing[];
  remove: (things: readonly Thing[]) => Promise<unknown>;
  /** Brings them back: whoever deletes many at once has chosen one too many before long. */
  restore: (things: readonly Thing[]) => Promise<unknown>;
  onClear: () => void;
};

/** How many rows are chosen, and a way to delete them together and to have them back. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function BulkDelete({ things, remove, restore, onClear }: Props) {
  const text = useText(bulkText);
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: remove,
    onSuccess: (_, gone) => {
      const count = gone.length;
      const undo = () =>
        void restore(gone).then(
          () => toast(text.restored(count)),
          () => toast(text.notRestored),
        );
      toast(text.removed(count), { label: text.undo, run: undo });
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
          isPending={isPending}
          failure={error ?? undefined}
          onClose={() => setAsking(false)}
          onConfirm={() => mutate(things)}
        >
          {published.length > 0 && `${text.published(formatNames(published))} `}
          {text.why}
        </Confirm>
      )}
    </ChosenBar>
  );
}
