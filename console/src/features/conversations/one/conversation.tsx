import { getRouteApi, Link } from "@tanstack/react-router";
import { Activity, Bot, ThumbsDown, ThumbsUp } from "lucide-react";
import { useMemo } from "react";
import { failureOf } from "../../../api/list";
import { useMemberNames } from "../../../api/members";
import type { SupportTranscript } from "../../../api/schema";
import { turnsOf } from "../../../chat/history";
import { isReason } from "../../../chat/reasons";
import { chatText } from "../../../chat/text";
import { Transcript } from "../../../chat/transcript";
import { storedOf } from "../../../playground/stored";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Banner } from "../../../ui/banner/banner";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import header from "../../../ui/page/header-link.module.css";
import { Page } from "../../../ui/page/page";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import { useLate } from "../../../ui/skeleton/use-late";
import { conversationsText } from "../text";
import styles from "./conversation.module.css";
import { useTranscript } from "./queries";
import { oneText } from "./text";
import { UserCard } from "./user-card";

const page = getRouteApi("/shell/w/$workspaceId/conversations/$conversationId");

type Verdict = SupportTranscript["feedback"][number];

/** What was said in a conversation, to be read, beside what is known of whom it is with. */
export function ConversationScreen() {
  const text = useText(oneText);
  const words = useText(conversationsText);
  const { workspaceId, conversationId } = page.useParams();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const seesRuns = may(workspace, "trace.read");
  const said = useTranscript(conversationId);
  const { isLate } = useLate(said.isPending);
  const pages = said.data?.pages;
  const turns = useMemo(
    () =>
      turnsOf(
        pages?.flatMap((each) => each.items.map((message) => storedOf(message))).toReversed() ?? [],
      ).filter((turn) => turn.question || turn.items.length > 0),
    [pages],
  );
  const verdicts = useMemo(() => pages?.flatMap((each) => each.feedback) ?? [], [pages]);
  const talk = pages?.[0]?.conversation;
  const agentId = talk?.agent_id;
  return (
    <Page
      title={talk ? talk.name || words.unnamed : words.title}
      context={workspace?.name ?? ""}
      path={
        <Link to="/w/$workspaceId/conversations" params={{ workspaceId }}>
          {words.title}
        </Link>
      }
      actions={
        talk && (
          <>
            {seesRuns && (
              <Link
                to="/w/$workspaceId/runs"
                params={{ workspaceId }}
                search={{ conversation: talk.id, time: "90d" }}
                aria-label={text.runs}
                className={header.open}
              >
                <Activity size={16} />
                <span>{text.runs}</span>
              </Link>
            )}
            {agentId && (
              <Link
                to="/w/$workspaceId/agents/$agentId"
                params={{ workspaceId, agentId }}
                aria-label={text.openAgent}
                className={header.open}
              >
                <Bot size={16} />
                <span>{text.openAgent}</span>
              </Link>
            )}
          </>
        )
      }
    >
      {pages?.[0]?.is_own === false && <Banner tone="info">{text.foreign}</Banner>}
      {said.error && !talk ? (
        <ErrorState
          failure={failureOf(said.error) ?? said.error}
          onRetry={() => void said.refetch()}
        />
      ) : (
        <div className={styles.frame}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
          <section className={styles.said} tabIndex={0} aria-label={words.title}>
            {isLate && <Skeleton width="60%" height={14} />}
            {talk && turns.length === 0 && (
              <EmptyState title={text.nothing}>{text.nothingWhy}</EmptyState>
            )}
            <Transcript
              turns={turns}
              before={
                said.hasNextPage && (
                  <Button
                    size="compact"
                    isLoading={said.isFetchingNextPage}
                    onClick={() => void said.fetchNextPage()}
                  >
                    {text.earlier}
                  </Button>
                )
              }
              remarksOn={(turn) => (
                <Remarks
                  workspaceId={workspaceId}
                  verdicts={verdicts.filter((each) => each.message_id === turn.answerId)}
                />
              )}
              onDetails={
                seesRuns
                  ? (runId) =>
                      void navigate({
                        to: "/w/$workspaceId/runs/$runId",
                        params: { workspaceId, runId },
                      })
                  : undefined
              }
            />
          </section>
          {talk && <UserCard talk={talk} />}
        </div>
      )}
    </Page>
  );
}

type RemarkProps = { workspaceId: string; verdicts: readonly Verdict[] };

/** What people thought of an answer. */
function Remarks({ workspaceId, verdicts }: RemarkProps) {
  const text = useText(oneText);
  const said = useText(chatText).reasons;
  const memberOf = useMemberNames(workspaceId);
  const wordsOf = (reason: string) => (isReason(reason) ? said[reason] : reason);
  if (verdicts.length === 0) return null;
  return (
    <ul className={styles.remarks}>
      {verdicts.map((each) => {
        const name = memberOf(each.user_id);
        const isGood = each.feedback_type === "like";
        return (
          <li key={`${each.message_id} ${each.user_id}`}>
            {isGood ? <ThumbsUp size={14} /> : <ThumbsDown size={14} />}
            <span>
              <b>{isGood ? text.liked : text.disliked}</b>
              {name && ` ${text.by(name)}`}
              {[...each.reason_types.map(wordsOf), each.comment]
                .filter(Boolean)
                .map((why) => ` · ${why}`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
