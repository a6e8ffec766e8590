import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import styles from "./conflict-dialog.module.css";
import type { Conflict } from "./edits";
import { workbenchText } from "./text";

type Props = {
  conflicts: readonly Conflict[];
  onResolve: (theirs: ReadonlySet<string>) => void;
};

/** Values that both sides changed, each with the choice of one of them. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ConflictDialog({ conflicts, onResolve }: Props) {
  const text = useText(workbenchText).conflict;
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  function choose(path: string, isTheirs: boolean): void {
    const next = new Set(theirs);
    if (isTheirs) next.add(path);
    else next.delete(path);
    setTheirs(next);
  }
  const words = (value: unknown) =>
    (typeof value === "string" ? value : JSON.stringify(value)) || text.empty;
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
      {conflicts.map(({ path, mine, theirs: other }) => (
        <div key={path} className={styles.conflict}>
          <code>{path}</code>
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
        </div>
      ))}
    </Dialog>
  );
}
