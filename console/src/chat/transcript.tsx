import type { ReactNode } from "react";
import { TurnView } from "./chat";
import styles from "./chat.module.css";
import type { Turn } from "./turn";

type Props = {
  turns: readonly Turn[];
  /** Stands before the first turn: a way to what was said earlier. */
  before?: ReactNode;
  remarksOn: (turn: Turn) => ReactNode;
  onDetails?: ((runId: string) => void) | undefined;
};

const NOTHING = { rate: false, again: false };
/** Stored turns are over: they neither wait nor suggest anything. */
const INERT = {
  isConsent: () => false,
  onSubmit: () => Promise.resolve(),
  onAgain: () => undefined,
  onAsk: () => undefined,
  onRate: () => undefined,
};

/** What was said, to be read and not gone on with. */
export function Transcript({ turns, before, remarksOn, onDetails }: Props) {
  return (
    <div className={styles.turns}>
      {before}
      {turns.map((turn, index) => (
        <TurnView
          key={turn.key}
          turn={turn}
          before={turns[index - 1]?.at}
          isLast={turn === turns.at(-1)}
          showsSteps={false}
          isOlder={false}
          measured={undefined}
          audience="builder"
          offers={NOTHING}
          actions={{ ...INERT, onDetails }}
          onEdit={undefined}
          remarks={remarksOn(turn)}
        />
      ))}
    </div>
  );
}
