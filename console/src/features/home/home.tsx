import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { BookOpen, Bot, KeyRound, Workflow } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { homeQuery } from "../../directory/queries";
import { startDone } from "../../session/local";
import { may, useSession, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";
import { Continue } from "./continue";
import styles from "./home.module.css";
import { homeText } from "./text";
import { Today } from "./today";
import { WaitingList } from "./waiting-list";

const Start = lazy(() => import("./start/start"));
const page = getRouteApi("/shell/w/$workspaceId/");

/** The start of a workspace: where to go on, what waits, how the day went. */
export function Home() {
  const text = useText(homeText);
  const { workspaceId } = page.useParams();
  const workspace = useWorkspace(workspaceId);
  const { user } = useSession();
  const { data, error, refetch } = useQuery(homeQuery(workspaceId));
  const [isDone, setDone] = useState(() => startDone.read(workspaceId));
  // What the steps began with stays on the page until they are over or put away.
  const [isNew, setNew] = useState<boolean>();
  if (data && isNew === undefined) setNew(data.counts.runs === 0);
  const canWrite = may(workspace, "bot.write");
  const hasStart = isNew && !isDone && (canWrite || user.is_admin);
  return (
    <Page title={text.title} context={workspace?.name ?? ""}>
      <PageBody>
        {error && !data ? (
          <ErrorState failure={failureOf(error) ?? error} onRetry={() => void refetch()} />
        ) : (
          <div className={styles.home}>
            {data && hasStart && (
              <Suspense>
                <Start
                  workspaceId={workspaceId}
                  counts={data.counts}
                  onDone={() => {
                    startDone.write(workspaceId);
                    setDone(true);
                  }}
                />
              </Suspense>
            )}
            {!hasStart && <QuickActions workspaceId={workspaceId} />}
            <div className={classes(styles.columns, hasStart && styles.two)}>
              <Continue workspaceId={workspaceId} entries={data?.recent} />
              <WaitingList workspaceId={workspaceId} waiting={data?.waiting} />
              {!hasStart && may(workspace, "trace.read") && <Today workspaceId={workspaceId} />}
            </div>
          </div>
        )}
      </PageBody>
    </Page>
  );
}

function QuickActions({ workspaceId }: { workspaceId: string }) {
  const { quick } = useText(homeText);
  const workspace = useWorkspace(workspaceId);
  const params = { workspaceId };
  return (
    <nav aria-label={quick.label} className={styles.quick}>
      {may(workspace, "bot.write") && (
        <Link
          to="/w/$workspaceId/agents"
          params={params}
          search={{ new: "agent" }}
          className={styles.act}
        >
          <Bot size={16} strokeWidth={1.5} />
          {quick.agent}
        </Link>
      )}
      {may(workspace, "workflow.write") && (
        <Link
          to="/w/$workspaceId/workflows"
          params={params}
          search={{ new: "canvas" }}
          className={styles.act}
        >
          <Workflow size={16} strokeWidth={1.5} />
          {quick.canvas}
        </Link>
      )}
      {may(workspace, "dataset.write") && (
        <Link
          to="/w/$workspaceId/knowledge"
          params={params}
          search={{ new: "documents" }}
          className={styles.act}
        >
          <BookOpen size={16} strokeWidth={1.5} />
          {quick.documents}
        </Link>
      )}
      <Link
        to="/w/$workspaceId/settings/{-$tab}"
        params={{ workspaceId, tab: "tokens" }}
        className={styles.act}
      >
        <KeyRound size={16} strokeWidth={1.5} />
        {quick.token}
      </Link>
    </nav>
  );
}
