import { CircleOff, CircleX, LoaderCircle } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import type { Slice } from "./queries";
import { documentText } from "./text";

const PENDING = 0;
const FAILED = 9;

/** Why searches do not find a slice as it is; nothing where they do. */
export function SliceState({ slice }: { slice: Slice }) {
  const { states } = useText(documentText);
  if (!slice.enabled)
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {states.off}
      </StateBadge>
    );
  if (slice.status === PENDING)
    return (
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {states.pending}
      </StateBadge>
    );
  if (slice.status === FAILED)
    return (
      <span title={slice.fail_reason}>
        <StateBadge tone="bad" icon={<CircleX size={14} />}>
          {states.failed}
        </StateBadge>
      </span>
    );
  return null;
}
