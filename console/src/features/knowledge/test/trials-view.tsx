import { useRef } from "react";
import { retrievalText } from "../../../retrieval/text";
import { useText } from "../../../text/catalogue";
import { formatClock } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { Select } from "../../../ui/select/select";
import { MovementLines } from "./movement-lines";
import { Results } from "./results";
import styles from "./test-pane.module.css";
import { testText } from "./text";
import { keyOf, movementOf, type Tried } from "./trials";

const ALONE = "";

type Props = {
  workspaceId: string;
  /** The newest first. */
  trials: readonly Tried[];
  /** Which one is looked at; the newest where nobody chose. */
  id: string | undefined;
  besideId: string | undefined;
  onShow: (shown: { id: string; besideId: string | undefined }) => void;
};

/** What searches found: one of those that were tried, or two with what moved between them. */
export function TrialsView({ workspaceId, trials, id, besideId, onShow }: Props) {
  const text = useText(testText);
  const { kinds } = useText(retrievalText);
  const sides = useRef<HTMLDivElement>(null);
  const told = ({ up, down, isNew, gone }: ReturnType<typeof movementOf>) =>
    text.movement(up, down, isNew, gone);
  const shown = trials.find((each) => each.id === id) ?? trials[0];
  if (!shown) return null;
  const beside = trials.find((each) => each.id === besideId);
  const earlier = trials[trials.indexOf(shown) + 1];
  const before = earlier?.question === shown.question ? earlier : undefined;
  const options = trials.map(({ id: value, number, question, at, strategy }) => ({
    value,
    label: text.trialName(number, question, formatClock(at)),
    hint: text.trialHint(kinds[strategy.kind], strategy.topK, strategy.minScore.toFixed(2)),
  }));
  return (
    <>
      {trials.length > 1 && (
        <div className={styles.trials}>
          <Select
            label={text.trial}
            value={shown.id}
            options={options}
            onChange={(next) => onShow({ id: next, besideId })}
          />
          <Select
            label={text.beside}
            value={beside?.id ?? ALONE}
            options={[{ value: ALONE, label: text.alone }, ...options]}
            onChange={(next) => onShow({ id: shown.id, besideId: next || undefined })}
          />
          {beside ? (
            <p role="status" className={styles.moved}>
              {text.fromTo(told(movementOf(shown.found, beside.found)))}
            </p>
          ) : (
            before && (
              <p role="status" className={styles.moved}>
                {text.sinceBefore(told(movementOf(before.found, shown.found)))}{" "}
                <Button
                  kind="quiet"
                  size="compact"
                  onClick={() => onShow({ id: before.id, besideId: shown.id })}
                >
                  {text.showBoth}
                </Button>
              </p>
            )
          )}
        </div>
      )}
      <div ref={sides} className={styles.sides} data-sides={beside ? 2 : 1}>
        <Results side={beside && "a"} workspaceId={workspaceId} found={shown.found} />
        {beside && (
          <>
            <MovementLines
              sides={sides}
              before={shown.found.items.map(keyOf)}
              after={beside.found.items.map(keyOf)}
            />
            <Results side="b" workspaceId={workspaceId} found={beside.found} before={shown.found} />
          </>
        )}
      </div>
    </>
  );
}
