import { Link } from "@tanstack/react-router";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useMemberNames } from "../../../api/members";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Ago } from "../../../ui/time/ago";
import { useAgents } from "../queries";
import { conversationsText } from "../text";
import styles from "./conversation.module.css";
import { isOver, type Talk, useDataRequest, useKept, useOthers } from "./queries";
import { oneText } from "./text";

const OTHERS = 8;

/** Whom the conversation is with, what is kept of them, and what can be done about that. */
export function UserCard({ talk }: { talk: Talk }) {
  const text = useText(oneText);
  const workspace = useWorkspace(talk.workspace_id);
  const memberOf = useMemberNames(talk.workspace_id);
  const agent = useAgents(talk.workspace_id).find((each) => each.id === talk.agent_id);
  const hasUser = talk.end_user_id !== "";
  const seesKept = may(workspace, "variable") && hasUser && Boolean(talk.agent_id);
  return (
    <aside className={styles.card} aria-label={text.about}>
      <section>
        <h2>{text.about}</h2>
        <dl className={styles.facts}>
          <dt>{text.user}</dt>
          <dd>{memberOf(talk.end_user_id || talk.creator_id) || talk.end_user_id}</dd>
          {agent && (
            <>
              <dt>{text.agent}</dt>
              <dd>{agent.name}</dd>
            </>
          )}
          <dt>{text.begun}</dt>
          <dd>
            <Ago at={talk.created_at} />
          </dd>
          <dt>{text.last}</dt>
          <dd>
            <Ago at={talk.updated_at} />
          </dd>
          <dt>{text.id}</dt>
          <dd>{talk.id}</dd>
        </dl>
      </section>
      {seesKept && <Kept talk={talk} />}
      {hasUser && <Others talk={talk} />}
      {hasUser && may(workspace, "workspace.write") && <Data talk={talk} />}
    </aside>
  );
}

function Kept({ talk }: { talk: Talk }) {
  const text = useText(oneText);
  const { variables, memories, isRemembered } = useKept(talk, true);
  const written = variables?.filter((each) => each.value !== "");
  return (
    <>
      {written && (
        <section>
          <h2>{text.variables}</h2>
          {written.length === 0 && <p className={styles.note}>{text.noVariables}</p>}
          <dl className={styles.facts}>
            {written.map((each) => (
              <Pair key={each.keyword} name={each.keyword} value={each.value} />
            ))}
          </dl>
        </section>
      )}
      {memories && (
        <section>
          <h2>{text.memories}</h2>
          {!isRemembered && <p className={styles.note}>{text.notRemembered}</p>}
          {memories.length === 0 && isRemembered && (
            <p className={styles.note}>{text.noMemories}</p>
          )}
          <ul className={styles.list}>
            {memories.map((each) => (
              <li key={each.id}>{each.text}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={styles.value} title={value}>
        {value}
      </dd>
    </>
  );
}

function Others({ talk }: { talk: Talk }) {
  const text = useText(oneText);
  const words = useText(conversationsText);
  const others = useOthers(talk, OTHERS);
  if (!others) return null;
  const { workspace_id: workspaceId, end_user_id: user } = talk;
  return (
    <section>
      <h2>{text.others}</h2>
      {others.length === 0 && <p className={styles.note}>{text.noOthers}</p>}
      <ul className={styles.list}>
        {others.map((each) => (
          <li key={each.id} className={styles.other}>
            <Link
              to="/w/$workspaceId/conversations/$conversationId"
              params={{ workspaceId, conversationId: each.id }}
            >
              {each.name || words.unnamed}
            </Link>
            <Ago at={each.run_at} />
          </li>
        ))}
      </ul>
      {others.length === OTHERS && (
        <Link
          to="/w/$workspaceId/conversations"
          params={{ workspaceId }}
          search={{ user, time: "all" }}
        >
          {text.moreOthers(OTHERS)}
        </Link>
      )}
    </section>
  );
}

/** Hands the user's data over, or removes them. */
function Data({ talk }: { talk: Talk }) {
  const text = useText(oneText);
  const { asked, request } = useDataRequest(talk);
  const [isDeleting, setDeleting] = useState(false);
  const isUnderWay = asked.isPending || (request !== undefined && !isOver(request));
  const failure = failureOf(asked.error);
  return (
    <section>
      <h2>{text.data}</h2>
      <p className={styles.note}>{text.dataWhy}</p>
      <div className={styles.verbs}>
        <Button
          size="compact"
          icon={<Download size={14} />}
          disabled={isUnderWay}
          onClick={() => asked.mutate("export")}
        >
          {text.exportData}
        </Button>
        <Button
          size="compact"
          icon={<Trash2 size={14} />}
          disabled={isUnderWay}
          onClick={() => setDeleting(true)}
        >
          {text.deleteData}
        </Button>
      </div>
      {failure && !isDeleting && <ErrorLine failure={failure} />}
      {request && (
        <p role="status">
          {!isOver(request) && (request.kind === "export" ? text.making : text.deleting)}
          {request.state === "failed" && `${text.failed} ${request.problem}`}
          {request.state === "done" && request.kind === "delete" && text.deleted}
          {request.state === "done" && request.kind === "export" && (
            <a href={`/admin/v1/data-requests/${request.id}/archive`} download>
              {text.download}
            </a>
          )}
        </p>
      )}
      {isDeleting && (
        <ConfirmDelete
          thing="delete"
          words={text}
          name={talk.end_user_id}
          isTyped
          remove={{
            isPending: asked.isPending,
            mutate: (_, options) => asked.mutate("delete", options),
          }}
          failure={failure}
          onClose={() => setDeleting(false)}
        />
      )}
    </section>
  );
}
