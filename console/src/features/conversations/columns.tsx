import { Link } from "@tanstack/react-router";
import { MessagesSquare, ThumbsDown, ThumbsUp } from "lucide-react";
import { useMemo } from "react";
import { useMemberNames } from "../../api/members";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { traceText } from "../../trace/text";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import styles from "./conversations.module.css";
import { type Conversation, useAgents } from "./queries";
import { ConversationState } from "./state";
import { conversationsText } from "./text";

export function useColumns(workspaceId: string): readonly Column<Conversation>[] {
  const text = useText(conversationsText);
  const { sources } = useText(traceText);
  const agents = useAgents(workspaceId);
  const memberOf = useMemberNames(workspaceId);
  return useMemo(() => {
    const names = new Map(agents.map((each) => [each.id, each.name]));
    const { columns } = text;
    return [
      {
        key: "name",
        label: columns.name,
        width: "minmax(200px, 1fr)",
        render: (each) => (
          <NameCell
            tile={<Tile name={each.name} icon={<MessagesSquare size={14} />} />}
            name={
              <Link
                to="/w/$workspaceId/conversations/$conversationId"
                params={{ workspaceId, conversationId: each.id }}
                tabIndex={-1}
              >
                {each.name || text.unnamed}
              </Link>
            }
            note={names.get(each.agent_id ?? "")}
          />
        ),
      },
      {
        key: "state",
        label: columns.state,
        width: "136px",
        render: (each) => <ConversationState conversation={each} />,
      },
      {
        key: "user",
        label: columns.user,
        width: "minmax(96px, 200px)",
        leaveOut: "narrow",
        render: (each) => {
          const user = each.end_user_id || each.creator_id;
          const name = memberOf(user) || each.end_user_id;
          return <span title={name}>{name}</span>;
        },
      },
      {
        key: "source",
        label: columns.source,
        width: "104px",
        leaveOut: "medium",
        render: (each) => (each.source ? (sources[each.source] ?? each.source) : null),
      },
      {
        key: "feedback",
        label: columns.feedback,
        width: "96px",
        leaveOut: "medium",
        render: (each) => (
          <span className={styles.verdicts}>
            {each.likes > 0 && (
              <span title={text.likes(each.likes)}>
                <ThumbsUp size={14} aria-label={text.likes(each.likes)} />
                {formatNumber(each.likes)}
              </span>
            )}
            {each.dislikes > 0 && (
              <span title={text.dislikes(each.dislikes)}>
                <ThumbsDown size={14} aria-label={text.dislikes(each.dislikes)} />
                {formatNumber(each.dislikes)}
              </span>
            )}
          </span>
        ),
      },
      {
        key: "last",
        label: columns.last,
        width: "104px",
        isNumber: true,
        leaveOut: "narrow",
        render: (each) => <Ago at={each.run_at} />,
      },
    ];
  }, [text, sources, agents, memberOf, workspaceId]);
}
