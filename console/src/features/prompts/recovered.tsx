import type { Kept } from "../../session/recovery";
import { RecoveredValue, RecoveryDialog } from "../../session/recovery-dialog";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import type { PromptBody } from "./queries";
import { promptsText } from "./text";

type Props = {
  kept: Kept<PromptBody>;
  now: PromptBody;
  onTake: () => void;
  onDrop: () => void;
  onLater: () => void;
};

/** A prompt that was not saved when its page ended. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Recovered({ kept: { at, changes }, now, ...answers }: Props) {
  const { fields } = useText(promptsText);
  const values = [
    { name: fields.name, now: now.name, kept: changes.name },
    { name: fields.description, now: now.description, kept: changes.description },
    { name: fields.text, now: now.prompt_text, kept: changes.prompt_text },
    { name: fields.tags, now: formatNames(now.tags), kept: formatNames(changes.tags) },
  ];
  return (
    <RecoveryDialog at={at} {...answers}>
      {values
        .filter((each) => each.now !== each.kept)
        .map((each) => (
          <RecoveredValue key={each.name} {...each} />
        ))}
    </RecoveryDialog>
  );
}
