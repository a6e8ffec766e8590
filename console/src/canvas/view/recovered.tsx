import { useMemo } from "react";
import type { Kept } from "../../session/recovery";
import { RecoveryDialog } from "../../session/recovery-dialog";
import { useText } from "../../text/catalogue";
import { ChangedFields, ChangedNode } from "../compare/changed-node";
import { compared } from "../compare/compare";
import { compareText } from "../compare/text";
import { parse } from "../document/parse";
import type { Unsaved } from "../saving";
import { useCanvas } from "../store";
import styles from "./recovered.module.css";

type Props = {
  kept: Kept<Unsaved>;
  onTake: () => void;
  onDrop: () => void;
  onLater: () => void;
};

/** Changes of the canvas that were not saved when their page ended. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Recovered({ kept, ...answers }: Props) {
  // What a part of the dialog waits for would close it: all words are here before it opens.
  const text = useText(compareText);
  const now = useCanvas((state) => state.root);
  const { changes } = useMemo(
    () => compared(now, parse(kept.changes.text).value),
    [now, kept.changes.text],
  );
  return (
    <RecoveryDialog at={kept.at} {...answers}>
      <ol className={styles.list} aria-label={text.changes}>
        {changes.map((change) => (
          <li key={change.id} className={styles.change}>
            <div className={styles.node}>
              <ChangedNode change={change} />
            </div>
            <ChangedFields change={change} />
          </li>
        ))}
      </ol>
    </RecoveryDialog>
  );
}
