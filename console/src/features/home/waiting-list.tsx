import { Link } from "@tanstack/react-router";
import { CircleHelp, FileWarning, KeyRound, ShieldQuestion } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { formatExact, formatNames } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ServerWords } from "../../ui/error-state/server-words";
import { Plain } from "../../ui/plain/plain";
import { Ago } from "../../ui/time/ago";
import { Frame } from "./frame";
import styles from "./home.module.css";
import { useAnswer, useUnsaved, type Waiting } from "./queries";
import { homeText } from "./text";

const Questions = lazy(() => import("./questions"));
const UnsavedList = lazy(() => import("./unsaved-list"));

type Props = { workspaceId: string; waiting: readonly Waiting[] | undefined };

/** What cannot go on without the person, each with what lets it go on. */
export function WaitingList({ workspaceId, waiting }: Props) {
  const text = useText(homeText);
  const id = useId();
  const unsaved = useUnsaved(workspaceId);
  const count = (waiting?.length ?? 0) + (unsaved?.length ?? 0);
  return (
    <section aria-labelledby={id} className={styles.column}>
      <h2 id={id} className={styles.head}>
        {text.waiting}
        {waiting && count > 0 && <span className={styles.count}>{count}</span>}
      </h2>
      {waiting && unsaved && count === 0 && <p className={styles.none}>{text.nothingWaits}</p>}
      <div role="status">
        {waiting?.map((each) => (
          <Item key={`${each.type} ${each.id}`} workspaceId={workspaceId} waiting={each} />
        ))}
        <Suspense>
          {waiting && unsaved && unsaved.length > 0 && (
            <UnsavedList workspaceId={workspaceId} unsaved={unsaved} />
          )}
        </Suspense>
      </div>
    </section>
  );
}

type ItemProps = { workspaceId: string; waiting: Waiting };

function Item({ workspaceId, waiting }: ItemProps) {
  switch (waiting.type) {
    case "consent":
      return <Consent workspaceId={workspaceId} waiting={waiting} />;
    case "question":
      return <Question workspaceId={workspaceId} waiting={waiting} />;
    case "document":
      return <Unread workspaceId={workspaceId} waiting={waiting} />;
    case "token":
      return <Ending workspaceId={workspaceId} waiting={waiting} />;
  }
}

function Consent({ workspaceId, waiting }: ItemProps) {
  const text = useText(homeText);
  const { mutate, isPending, variables, error } = useAnswer();
  const names = formatNames(waiting.calls.map((call) => call.name));
  return (
    <Frame
      icon={ShieldQuestion}
      title={
        <Link
          to="/w/$workspaceId/agents/$agentId"
          params={{ workspaceId, agentId: waiting.parent_id ?? "" }}
          search={{ tab: "try", ...(waiting.conversation_id && { chat: waiting.conversation_id }) }}
        >
          <Plain text={text.wantsToCall(waiting.name, names)} />
        </Link>
      }
      when={<Ago at={waiting.at} />}
    >
      {waiting.calls.filter(hasArguments).map((call) => (
        <pre key={call.id} className={styles.call}>
          <Plain text={pretty(call.arguments)} />
        </pre>
      ))}
      <div className={styles.actions}>
        <Button
          size="compact"
          kind="primary"
          isLoading={isPending && variables.isAllowed}
          disabled={isPending && !variables.isAllowed}
          onClick={() => mutate({ waiting, isAllowed: true })}
        >
          {text.allow}
        </Button>
        <Button
          size="compact"
          isLoading={isPending && !variables.isAllowed}
          disabled={isPending && variables.isAllowed}
          onClick={() => mutate({ waiting, isAllowed: false })}
        >
          {text.refuse}
        </Button>
      </div>
      {error && <ErrorLine failure={error} />}
    </Frame>
  );
}

function Question({ workspaceId, waiting }: ItemProps) {
  const text = useText(homeText);
  const parent = waiting.parent_id ?? "";
  return (
    <Frame icon={CircleHelp} title={text.asks(waiting.name)} when={<Ago at={waiting.at} />}>
      {waiting.workflow_run_id && (
        <Suspense>
          <Questions waiting={waiting} workflowRunId={waiting.workflow_run_id} />
        </Suspense>
      )}
      {waiting.parent_type === "workflow" ? (
        <Link
          to="/w/$workspaceId/workflows/$workflowId"
          params={{ workspaceId, workflowId: parent }}
          search={{ run: waiting.id }}
          className={styles.way}
        >
          {waiting.workflow_run_id ? text.look : text.answer}
        </Link>
      ) : (
        <Link
          to="/w/$workspaceId/agents/$agentId"
          params={{ workspaceId, agentId: parent }}
          search={{ tab: "try", ...(waiting.conversation_id && { chat: waiting.conversation_id }) }}
          className={styles.way}
        >
          {waiting.workflow_run_id ? text.look : text.answer}
        </Link>
      )}
    </Frame>
  );
}

function Unread({ workspaceId, waiting }: ItemProps) {
  const text = useText(homeText);
  return (
    <Frame
      icon={FileWarning}
      tone="bad"
      title={text.unread(waiting.name)}
      when={<Ago at={waiting.at} />}
    >
      {waiting.reason && (
        <p>
          <ServerWords message={waiting.reason} />
        </p>
      )}
      <Link
        to="/w/$workspaceId/knowledge/$baseId"
        params={{ workspaceId, baseId: waiting.parent_id ?? "" }}
        search={{ q: waiting.name }}
        className={styles.way}
      >
        {text.look}
      </Link>
    </Frame>
  );
}

function Ending({ workspaceId, waiting }: ItemProps) {
  const text = useText(homeText);
  const days = Math.max(0, Math.floor((waiting.at - Date.now() / 1000) / 86_400));
  return (
    <Frame
      icon={KeyRound}
      tone="warn"
      title={text.ends(waiting.name)}
      when={<span title={formatExact(waiting.at)}>{text.inDays(days)}</span>}
    >
      <Link
        to="/w/$workspaceId/settings/{-$tab}"
        params={{ workspaceId, tab: "tokens" }}
        className={styles.way}
      >
        {text.renew}
      </Link>
    </Frame>
  );
}

function hasArguments({ arguments: given }: Waiting["calls"][number]): boolean {
  return given !== "" && given !== "{}";
}

function pretty(json: string): string {
  const read = readJson(json || "{}");
  return read === undefined ? json : JSON.stringify(read, null, 2);
}
