import { Sparkles, Square } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import type { AssistBody } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { TrialAnswer } from "../../trial/answer";
import { useTrial } from "../../trial/trial";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { classes } from "../../ui/classes";
import { Dialog } from "../../ui/dialog/dialog";
import { Difference } from "../../ui/difference/difference";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { type Hunk, hunksOf, isChange, textOf } from "./hunks";
import styles from "./improve-dialog.module.css";
import { assistPath } from "./queries";
import { workbenchText } from "./text";

type Props = {
  agentId: string;
  value: string;
  onApply: (value: string) => void;
  onClose: () => void;
};

const LONGEST = 4000;

/** Asks the agent's model for another persona, of which each change is taken or left. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImproveDialog({ agentId, value, onApply, onClose }: Props) {
  const text = useText(workbenchText).improve;
  const { cancel } = useText(uiText);
  const [instruction, setInstruction] = useState("");
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set());
  const { trial, ask, stop } = useTrial();
  const isAsking = trial?.state === "asking";
  const proposal = trial?.state === "done" ? trial.text.trim() : undefined;
  const hunks = useMemo(
    () => (proposal === undefined ? [] : hunksOf(value, proposal)),
    [value, proposal],
  );
  const changes = [...hunks.entries()].filter(([, hunk]) => isChange(hunk)).map(([at]) => at);
  const taken = changes.filter((at) => !refused.has(at));
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!instruction.trim() || isAsking) return;
    setRefused(new Set());
    const body: AssistBody = { kind: "prompt", instruction: instruction.trim(), text: value };
    void ask(assistPath(agentId), body);
  }
  function choose(at: number, isTaken: boolean): void {
    const next = new Set(refused);
    if (isTaken) next.delete(at);
    else next.add(at);
    setRefused(next);
  }
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {changes.length > 0 && (
            <Button
              kind="primary"
              disabled={taken.length === 0}
              onClick={() => {
                onApply(textOf(hunks, new Set(taken)));
                onClose();
              }}
            >
              {text.apply(taken.length, changes.length)}
            </Button>
          )}
        </>
      }
    >
      <form onSubmit={submit} className={styles.form}>
        <TextArea
          label={text.instruction}
          isShort
          autoFocus
          maxLength={LONGEST}
          placeholder={text.placeholder}
          value={instruction}
          onChange={setInstruction}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <div className={styles.verbs}>
          {text.ideas.map((idea) => (
            <Button key={idea} size="compact" onClick={() => setInstruction(idea)}>
              {idea}
            </Button>
          ))}
          <span className={styles.verb}>
            {isAsking ? (
              <Button icon={<Square size={16} />} onClick={stop}>
                {text.stop}
              </Button>
            ) : (
              <Button
                type="submit"
                kind={changes.length > 0 ? "plain" : "primary"}
                icon={<Sparkles size={16} />}
                disabled={!instruction.trim()}
              >
                {trial ? text.again : text.verb}
              </Button>
            )}
          </span>
        </div>
      </form>
      {trial && proposal === undefined && <TrialAnswer trial={trial} />}
      {trial?.facts?.finish_reason === "length" && <p className={styles.warning}>{text.cut}</p>}
      {proposal !== undefined &&
        (changes.length > 0 ? (
          <div className={styles.proposal}>
            {hunks.map((hunk, at) => (
              <Part
                // biome-ignore lint/suspicious/noArrayIndexKey: parts stand in the order of the text
                key={at}
                hunk={hunk}
                isTaken={!refused.has(at)}
                onChoose={(isTaken) => choose(at, isTaken)}
              />
            ))}
          </div>
        ) : (
          <p className={styles.note}>{text.nothing}</p>
        ))}
    </Dialog>
  );
}

type PartProps = { hunk: Hunk; isTaken: boolean; onChoose: (isTaken: boolean) => void };

/** What stays as it is, quietly; what changes, with the choice to leave it. */
function Part({ hunk, isTaken, onChoose }: PartProps) {
  const text = useText(workbenchText).improve;
  if (!isChange(hunk)) {
    const words = hunk.left.trim();
    return words && <p className={styles.same}>{words}</p>;
  }
  const label = hunk.left.trim() ? (hunk.right.trim() ? text.changed : text.removed) : text.added;
  return (
    <div className={classes(styles.change, !isTaken && styles.left)}>
      <Checkbox label={label} isChecked={isTaken} onChange={onChoose} />
      <Difference label={label} left={hunk.left.trim()} right={hunk.right.trim()} />
    </div>
  );
}
