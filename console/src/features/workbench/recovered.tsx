import type { Kept } from "../../session/recovery";
import { RecoveredValue, RecoveryDialog } from "../../session/recovery-dialog";
import { type Draft, differencesOf, type Unsaved, wordsOf } from "./edits";
import { useFieldName } from "./section";

type Props = {
  kept: Kept<Unsaved>;
  draft: Draft;
  onTake: () => void;
  onDrop: () => void;
  onLater: () => void;
};

/** Changes of the agent that were not saved when their page ended. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Recovered({ kept, draft, ...answers }: Props) {
  const nameOf = useFieldName();
  return (
    <RecoveryDialog at={kept.at} {...answers}>
      {differencesOf(draft, kept.changes.edits).map(({ path, now, mine }) => (
        <RecoveredValue key={path} name={nameOf(path)} now={wordsOf(now)} kept={wordsOf(mine)} />
      ))}
    </RecoveryDialog>
  );
}
