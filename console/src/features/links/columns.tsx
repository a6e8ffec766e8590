import { Link as RouteLink } from "@tanstack/react-router";
import { CircleCheck, CircleSlash, Clock, Link2 } from "lucide-react";
import { useMemo } from "react";
import { formatMoney, formatStep } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import { type Link, type Target, useLinkUsage, useTargets } from "./queries";
import { linksText } from "./text";

export function useColumns(workspaceId: string, seesUsage: boolean): readonly Column<Link>[] {
  const text = useText(linksText);
  const agents = useTargets(workspaceId, "agent");
  const flows = useTargets(workspaceId, "workflow");
  const usage = useLinkUsage(workspaceId, seesUsage);
  return useMemo(() => {
    const targetOf = (link: Link) =>
      (link.target_type === "agent" ? agents : flows)?.find((each) => each.id === link.target_id);
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(180px, 1fr)",
        render: (link) => (
          <NameCell
            tile={<Tile name={link.settings.name} icon={<Link2 size={14} />} />}
            name={
              <RouteLink
                to="/w/$workspaceId/links/$linkId"
                params={{ workspaceId, linkId: link.id }}
              >
                {link.settings.name}
              </RouteLink>
            }
            note={targetOf(link)?.name}
          />
        ),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "136px",
        render: (link) => <State link={link} target={targetOf(link)} />,
      },
      {
        key: "access",
        label: text.columns.access,
        width: "112px",
        leaveOut: "medium",
        render: (link) => text.auth[link.auth],
      },
      {
        key: "limits",
        label: text.columns.limits,
        width: "196px",
        leaveOut: "medium",
        render: (link) => limitsOf(link, text),
      },
      {
        key: "use",
        label: text.columns.use,
        width: "148px",
        isNumber: true,
        leaveOut: "narrow",
        render: (link) => {
          const sums = usage.of(link.id);
          if (!usage.currency) return null;
          const cost = Number(sums?.cost ?? 0);
          const money = cost > 0 ? ` · ${formatMoney(cost, usage.currency)}` : "";
          return `${text.calls(sums?.calls ?? 0)}${money}`;
        },
      },
      {
        key: "changed",
        label: text.columns.changed,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (link) => <Ago at={link.updated_at} />,
      },
    ];
  }, [text, workspaceId, agents, flows, usage.currency, usage.of]);
}

type Words = {
  perMinute: (count: number) => string;
  until: (day: string) => string;
  unlimited: string;
};

function limitsOf({ settings, expires_at }: Link, text: Words): string {
  const limits = [
    settings.runs_per_min > 0 && text.perMinute(settings.runs_per_min),
    expires_at !== null && text.until(formatStep(expires_at, "day")),
  ].filter(Boolean);
  return limits.join(" · ") || text.unlimited;
}

function State({ link, target }: { link: Link; target: Target | undefined }) {
  const { states } = useText(linksText);
  if (link.expires_at !== null && link.expires_at * 1000 <= Date.now()) {
    return (
      <StateBadge tone="neutral" icon={<Clock size={14} />}>
        {states.expired}
      </StateBadge>
    );
  }
  if (target && !target.isPublished) {
    return (
      <StateBadge tone="warn" icon={<CircleSlash size={14} />}>
        {states.unpublished}
      </StateBadge>
    );
  }
  return (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {states.open}
    </StateBadge>
  );
}
