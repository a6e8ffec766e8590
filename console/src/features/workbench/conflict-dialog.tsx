import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { Difference } from "../../ui/difference/difference";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import styles from "./conflict-dialog.module.css";
import { type Conflict, wordsOf } from "./edits";
import { useFieldName } from "./section";
import { workbenchText } from "./text";

type Props = {
  conflicts: readonly Conflict[];
  onResolve: (theirs: ReadonlySet<string>) => void;
};

/** Values that both sides changed, each with the choice of one of them. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ConflictDialog({ conflicts, onResolve }: Props) {
  const text = useText(workbenchText).conflict;
  const nameOf = useFieldName();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  function choose(path: string, isTheirs: boolean): void {
    const next = new Set(theirs);
    if (isTheirs) next.add(path);
    else next.delete(path);
    setTheirs(next);
  }
  const words = (value: unknown) => wordsOf(value) || text.empty;
  return (
    <Dialog
      isOpen
      isExplicit
      size="wide"
      onClose={() => undefined}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={() => onResolve(new Set(conflicts.map((each) => each.path)))}>
            {text.allTheirs}
          </Button>
          <Button onClick={() => onResolve(new Set())}>{text.allMine}</Button>
          <Button kind="primary" onClick={() => onResolve(theirs)}>
            {text.apply}
          </Button>
        </>
      }
    >
      {conflicts.map(({ path, base, mine, theirs: other }) => (
        <div key={path} className={styles.conflict}>
          <h3>{nameOf(path)}</h3>
          <RadioCards
            label={text.field}
            isLabelHidden
            columns={2}
            value={theirs.has(path) ? "theirs" : "mine"}
            options={[
              { value: "mine", label: text.mine, note: words(mine) },
              { value: "theirs", label: text.theirs, note: words(other) },
            ]}
            onChange={(side) => choose(path, side === "theirs")}
          />
          <p className={styles.note}>{text.sinceBefore}</p>
          <Difference
            label={text.sinceBefore}
            left={words(base)}
            right={words(theirs.has(path) ? other : mine)}
          />
        </div>
      ))}
    </Dialog>
  );
}
