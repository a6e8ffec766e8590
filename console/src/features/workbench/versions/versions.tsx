import { getRouteApi, Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useRecentRuns } from "../../../agent/recent-runs";
import { failureOf } from "../../../api/list";
import { useMemberNames } from "../../../api/members";
import type { AdminAgent } from "../../../api/schema";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page, PageBody } from "../../../ui/page/page";
import { Select } from "../../../ui/select/select";
import { Ago } from "../../../ui/time/ago";
import { toast } from "../../../ui/toast/toasts";
import { useAgent } from "../queries";
import { Changes } from "./changes";
import { DRAFT, useRestore, useServing, useVersions } from "./queries";
import { RunsLine } from "./runs-line";
import { versionsText } from "./text";
import styles from "./versions.module.css";

const page = getRouteApi("/shell/w/$workspaceId/agents/$agentId/versions");

/** What was published of an agent, and what two states of it differ in. */
export function Versions() {
  const { agentId } = page.useParams();
  const agent = useAgent(agentId);
  return agent && <Compared agent={agent} />;
}

function Compared({ agent }: { agent: AdminAgent }) {
  const text = useText(versionsText);
  const { workspaceId, agentId } = page.useParams();
  const { a, b = DRAFT, all } = page.useSearch();
  const navigate = page.useNavigate();
  const versions = useVersions(agentId);
  const serving = useServing(agentId);
  const nameOf = useMemberNames(workspaceId);
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "bot.write");
  const recent = useRecentRuns(workspaceId, may(workspace, "trace.read"), agentId);
  const { restore, undo } = useRestore(agentId);
  const { items = [], total = 0 } = versions.data ?? {};
  const from = a ?? (agent.live_version || items[0]?.version);
  const labelOf = (version: string) => {
    const at = items.findIndex((each) => each.version === version);
    return at < 0 ? text.draft : text.version(total - at);
  };
  const options = [
    { value: DRAFT, label: text.draft },
    ...items.map(({ version, description }) => ({
      value: version,
      label: labelOf(version),
      ...(description && { hint: description }),
    })),
  ];
  const show = (next: {
    a?: string | undefined;
    b?: string | undefined;
    all?: string | undefined;
  }) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const bringBack = (version: string) =>
    restore.mutate(version, {
      onSuccess: () => {
        show({ a: version, b: DRAFT });
        toast(text.restored(labelOf(version)), {
          label: text.undo,
          run: () =>
            undo.mutate(undefined, {
              onSuccess: () => toast(text.undone),
              onError: () => toast(text.undoFailed),
            }),
        });
      },
      onError: () => toast(text.restoreFailed),
    });
  const failure = failureOf(versions.error);
  return (
    <Page
      title={text.title}
      context={agent.name}
      path={
        <Link to="/w/$workspaceId/agents/$agentId" params={{ workspaceId, agentId }}>
          {agent.name}
        </Link>
      }
    >
      <PageBody>
        {failure && <ErrorState failure={failure} onRetry={() => void versions.refetch()} />}
        {versions.data && !from && (
          <EmptyState title={text.none} drawing={<History size={40} strokeWidth={1} />}>
            {text.noneWhy}
          </EmptyState>
        )}
        {from && (
          <div className={styles.screen}>
            <ol className={styles.list} aria-label={text.title}>
              {items.map(({ version, description, creator_id, created_at }) => (
                <li key={version} className={styles.item}>
                  <div className={styles.head}>
                    <span className={styles.number}>{labelOf(version)}</span>
                    {(serving.get(version) ?? []).map((name) => (
                      <span key={name} className={styles.serving}>
                        {name}
                      </span>
                    ))}
                  </div>
                  {description && <p className={styles.note}>{description}</p>}
                  <p className={styles.facts}>
                    {nameOf(creator_id) || text.somebody} · <Ago at={created_at} />
                  </p>
                  <RunsLine
                    workspaceId={workspaceId}
                    agentId={agentId}
                    version={version}
                    figures={recent(version)}
                  />
                  <div className={styles.verbs}>
                    <Button
                      size="compact"
                      kind="quiet"
                      aria-label={text.compareVersion(labelOf(version))}
                      onClick={() => show({ a: version, b: DRAFT })}
                    >
                      {text.compare}
                    </Button>
                    {canWrite && (
                      <Button
                        size="compact"
                        kind="quiet"
                        aria-label={text.restoreVersion(labelOf(version))}
                        isLoading={restore.isPending && restore.variables === version}
                        onClick={() => bringBack(version)}
                      >
                        {text.restore}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ol>
            <div className={styles.compared}>
              <div className={styles.choice}>
                <Select
                  label={text.from}
                  value={from}
                  options={options}
                  onChange={(value) => show({ a: value })}
                />
                <Select
                  label={text.to}
                  value={b}
                  options={options}
                  onChange={(value) => show({ b: value })}
                />
              </div>
              <Changes
                workspaceId={workspaceId}
                agentId={agentId}
                from={from}
                to={b}
                hasAll={all === "1"}
                onAll={(hasAll) => show({ all: hasAll ? "1" : undefined })}
              />
            </div>
          </div>
        )}
      </PageBody>
    </Page>
  );
}
