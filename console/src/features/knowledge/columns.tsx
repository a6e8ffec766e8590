import { Link } from "@tanstack/react-router";
import {
  BookOpen,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CircleX,
  Images,
  LoaderCircle,
  Table2,
} from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatBytes, formatNumber } from "../../text/formats";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import styles from "./base/columns.module.css";
import type { Base } from "./queries";
import { knowledgeText } from "./text";

const SIGNS = [BookOpen, Table2, Images];

export function useColumns(workspaceId: string): readonly Column<Base>[] {
  const text = useText(knowledgeText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (base) => {
          const Sign = SIGNS[base.format_type] ?? BookOpen;
          return (
            <NameCell
              tile={<Tile name={base.name} icon={<Sign size={14} />} />}
              name={
                <Link
                  to="/w/$workspaceId/knowledge/$baseId"
                  params={{ workspaceId, baseId: base.id }}
                  tabIndex={-1}
                  className={styles.name}
                >
                  {base.name}
                </Link>
              }
              note={base.description}
            />
          );
        },
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(124px, 168px)",
        render: (base) => <BaseState base={base} />,
      },
      {
        key: "kind",
        label: text.columns.kind,
        width: "64px",
        leaveOut: "medium",
        render: (base) => text.kinds[base.format_type],
      },
      {
        key: "documents",
        label: text.columns.documents,
        width: "72px",
        isNumber: true,
        leaveOut: "narrow",
        render: (base) => formatNumber(base.document_count),
      },
      {
        key: "slices",
        label: text.columns.slices,
        width: "72px",
        isNumber: true,
        leaveOut: "medium",
        render: (base) => formatNumber(base.slice_count),
      },
      {
        key: "size",
        label: text.columns.size,
        width: "72px",
        isNumber: true,
        leaveOut: "medium",
        render: (base) => formatBytes(base.size),
      },
      {
        key: "model",
        label: text.columns.model,
        width: "minmax(96px, 136px)",
        leaveOut: "medium",
        render: (base) => base.embedding_model,
      },
      {
        key: "agents",
        label: text.columns.agents,
        width: "56px",
        isNumber: true,
        leaveOut: "medium",
        render: (base) => formatNumber(base.agent_count),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "88px",
        isNumber: true,
        leaveOut: "narrow",
        render: (base) => <Ago at={base.updated_at} />,
      },
    ],
    [text, workspaceId],
  );
}

function BaseState({ base }: { base: Base }) {
  const { states } = useText(knowledgeText);
  if (base.failed_count > 0) {
    return (
      <StateBadge tone="bad" icon={<CircleX size={14} />}>
        {states.failed(base.failed_count)}
      </StateBadge>
    );
  }
  if (base.processing_count > 0) {
    return (
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {states.reading(base.processing_count)}
      </StateBadge>
    );
  }
  if (base.rebuild?.state === "building") {
    return (
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {states.rebuilding(base.rebuild.percent)}
      </StateBadge>
    );
  }
  if (!base.enabled) {
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {states.off}
      </StateBadge>
    );
  }
  return base.document_count === 0 ? (
    <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
      {states.empty}
    </StateBadge>
  ) : (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {states.ready}
    </StateBadge>
  );
}
