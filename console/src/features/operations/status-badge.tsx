import { CircleAlert, CircleCheck, CircleSlash, LogOut } from "lucide-react";
import { useText } from "../../text/catalogue";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { operationsText } from "./text";

/** How a process is as a whole. */
export function StatusBadge({ status }: { status: string }) {
  const { statuses } = useText(operationsText);
  switch (status) {
    case "ok":
      return (
        <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
          {statuses.ok}
        </StateBadge>
      );
    case "degraded":
      return (
        <StateBadge tone="warn" icon={<CircleAlert size={14} />}>
          {statuses.degraded}
        </StateBadge>
      );
    case "draining":
      return (
        <StateBadge tone="wait" icon={<LogOut size={14} />}>
          {statuses.draining}
        </StateBadge>
      );
    default:
      return (
        <StateBadge tone="bad" icon={<CircleSlash size={14} />}>
          {statuses.unavailable}
        </StateBadge>
      );
  }
}
