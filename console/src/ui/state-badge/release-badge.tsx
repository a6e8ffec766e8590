import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import { StateBadge } from "./state-badge";

type Props = { isPublished: boolean; isChanged: boolean; version: string };

/** Versions that publishing made up from the clock, which people read as noise. */
const MADE_UP = /^\d{10,}$/;

/** Where a draft stands towards its published version. */
export function ReleaseBadge({ isPublished, isChanged, version }: Props) {
  const words = useText(uiText).release;
  const shown = MADE_UP.test(version) ? "" : version;
  if (!isPublished) {
    return (
      <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
        {words.draft}
      </StateBadge>
    );
  }
  return isChanged ? (
    <StateBadge tone="warn" icon={<CircleDot size={14} />}>
      {words.changed(shown)}
    </StateBadge>
  ) : (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {words.published(shown)}
    </StateBadge>
  );
}
