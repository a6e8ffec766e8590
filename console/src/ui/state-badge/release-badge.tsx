import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import { isMadeUpVersion } from "./made-up";
import { StateBadge } from "./state-badge";

type Props = { isPublished: boolean; isChanged: boolean; version: string };

/** Where a draft stands towards its published version. */
export function ReleaseBadge({ isPublished, isChanged, version }: Props) {
  const words = useText(uiText).release;
  const shown = isMadeUpVersion(version) ? "" : version;
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
