import { Sparkles, Square } from "lucide-react";
import { useState } from "react";
import type { AssistBody } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { TrialAnswer } from "../../trial/answer";
import { useTrial } from "../../trial/trial";
import { Button } from "../../ui/button/button";
import { assistPath } from "./queries";
import styles from "./suggestion.module.css";
import { workbenchText } from "./text";

type Props = {
  agentId: string;
  kind: AssistBody["kind"];
  text: string;
  label: string;
  /** Waits until what was edited is what the draft is: the proposal is made of it. */
  saved: () => Promise<void>;
  onTake: (text: string) => void;
};

/** A short text that the agent's model proposes, taken or left as a whole. */
export function Suggestion({ agentId, kind, text: now, label, saved, onTake }: Props) {
  const text = useText(workbenchText).suggestion;
  const { trial, ask, stop } = useTrial();
  const [isOver, setOver] = useState(false);
  const isAsking = trial?.state === "asking";
  const proposal = trial?.state === "done" ? trial.text.trim() : "";
  async function begin(): Promise<void> {
    setOver(false);
    await saved();
    const body: AssistBody = { kind, instruction: "", text: now };
    await ask(assistPath(agentId), body);
  }
  const isShown = trial !== undefined && !isOver;
  return (
    <div className={styles.suggestion}>
      {isShown && <TrialAnswer trial={trial} />}
      <div className={styles.verbs}>
        {isShown && proposal && (
          <>
            <Button
              size="compact"
              kind="primary"
              onClick={() => {
                onTake(proposal);
                setOver(true);
              }}
            >
              {text.take}
            </Button>
            <Button size="compact" onClick={() => setOver(true)}>
              {text.leave}
            </Button>
          </>
        )}
        {isAsking ? (
          <Button size="compact" icon={<Square size={14} />} onClick={stop}>
            {text.stop}
          </Button>
        ) : (
          <Button
            size="compact"
            kind="quiet"
            icon={<Sparkles size={14} />}
            onClick={() => void begin()}
          >
            {isShown ? text.again : label}
          </Button>
        )}
      </div>
    </div>
  );
}
