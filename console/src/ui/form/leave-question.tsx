import { useText } from "../../text/catalogue";
import Confirm from "../confirm/confirm";
import { uiText } from "../text";

type Props = { onStay: () => void; onLeave: () => void };

/** Asks whether what was entered is to be lost. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function LeaveQuestion({ onStay, onLeave }: Props) {
  const { leaving: text } = useText(uiText);
  return (
    <Confirm
      isOpen
      title={text.title}
      verb={text.verb}
      isPending={false}
      onClose={onStay}
      onConfirm={onLeave}
    >
      {text.why}
    </Confirm>
  );
}
