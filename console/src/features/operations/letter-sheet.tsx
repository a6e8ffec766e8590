import { RotateCcw } from "lucide-react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { formatExact, formatNumber } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Facts } from "../../ui/facts/facts";
import { JsonView } from "../../ui/json-view/json-view";
import { toast } from "../../ui/toast/toasts";
import styles from "./operations.module.css";
import { type Letter, useLetter, useRetryLetters } from "./queries";
import { operationsText } from "./text";

type Props = { letter: Letter; onDrop: () => void; onClose: () => void };

/** One letter: what went wrong, and what the event says. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function LetterSheet({ letter, onDrop, onClose }: Props) {
  const { letters: text } = useText(operationsText);
  const whole = useLetter(letter.event_id);
  const retry = useRetryLetters();
  const failure = failureOf(retry.error ?? whole.error);
  const payload = whole.data?.items.find((each) => each.consumer === letter.consumer)?.payload;
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      size="wide"
      title={letter.topic}
      actions={
        <>
          <Button size="compact" onClick={onDrop}>
            {text.drop}
          </Button>
          <Button
            size="compact"
            kind="primary"
            icon={<RotateCcw size={14} />}
            isLoading={retry.isPending}
            onClick={() =>
              retry.mutate(
                { event_id: letter.event_id, consumer: letter.consumer },
                {
                  onSuccess: ({ count }) => {
                    toast(text.retried(count));
                    onClose();
                  },
                },
              )
            }
          >
            {text.retry}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        {failure && <ErrorLine failure={failure} />}
        <Facts
          facts={[
            [text.columns.consumer, letter.consumer],
            [text.columns.died, formatExact(letter.died_at)],
            [text.columns.attempts, formatNumber(letter.attempts)],
            [text.columns.error, letter.error],
            [text.key, letter.key],
            [text.event, letter.event_id],
          ]}
        />
        <h3 className={styles.title}>{text.payload}</h3>
        {whole.data && <JsonView label={text.payload} value={payload} />}
      </div>
    </SideSheet>
  );
}
