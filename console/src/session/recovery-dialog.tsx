import type { ReactNode } from "react";
import { useText } from "../text/catalogue";
import { formatExact } from "../text/formats";
import { Button } from "../ui/button/button";
import { Dialog } from "../ui/dialog/dialog";
import { Difference } from "../ui/difference/difference";
import styles from "./recovery-dialog.module.css";
import { sessionText } from "./text";

type Props = {
  /** When they were made, in milliseconds. */
  at: number;
  onTake: () => void;
  onDrop: () => void;
  /** Asked again the next time. */
  onLater: () => void;
  /** What differs from what the editor shows. */
  children: ReactNode;
};

/** Offers changes that were not saved when their page ended. */
export function RecoveryDialog({ at, onTake, onDrop, onLater, children }: Props) {
  const text = useText(sessionText).recovery;
  return (
    <Dialog
      isOpen
      // It opens by itself: nothing in it is to be pressed by a key that was meant for the page.
      isForReading
      size="wide"
      onClose={onLater}
      title={text.title}
      description={text.why(formatExact(at / 1000))}
      actions={
        <>
          <Button onClick={onDrop}>{text.drop}</Button>
          <Button kind="primary" onClick={onTake}>
            {text.take}
          </Button>
        </>
      }
    >
      <section aria-label={text.differs} className={styles.changes}>
        {children}
      </section>
    </Dialog>
  );
}

/** One value that differs. */
export function RecoveredValue({ name, now, kept }: { name: string; now: string; kept: string }) {
  const { changeOf } = useText(sessionText).recovery;
  return (
    <div className={styles.change}>
      <h3 className={styles.name}>{name}</h3>
      <Difference label={changeOf(name)} left={now} right={kept} />
    </div>
  );
}
