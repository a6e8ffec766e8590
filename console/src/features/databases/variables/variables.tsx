import { getRouteApi, Link } from "@tanstack/react-router";
import { Variable } from "lucide-react";
import { useCallback } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Combobox } from "../../../ui/combobox/combobox";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page, PageBody } from "../../../ui/page/page";
import { Section } from "../../../ui/page/section";
import { Segmented } from "../../../ui/segmented/segmented";
import { AgentDeclarations, AppDeclarations } from "./declarations";
import { People } from "./people";
import { findOwners, type Owner, useAgent, useApp } from "./queries";
import { variablesText } from "./text";
import styles from "./variables.module.css";

const page = getRouteApi("/shell/w/$workspaceId/databases/variables");

/** Variables of an agent or app: what it declares, and what it keeps of each person. */
export function Variables() {
  const text = useText(variablesText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const side = search.side === "draft" ? "draft" : "online";
  const agent = useAgent(search.agent);
  const app = useApp(search.app);
  const owner: Owner | undefined = search.agent
    ? { kind: "agent", id: search.agent, side }
    : search.app
      ? { kind: "app", id: search.app, side }
      : undefined;
  const name = search.agent ? agent.data?.name : app.data?.name;
  const failure = failureOf(search.agent ? agent.error : app.error);
  const find = useCallback(
    async (q: string, signal: AbortSignal) =>
      (await findOwners(workspaceId, q, signal)).map((each) => ({
        value: `${each.kind}:${each.id}`,
        label: each.name,
        note: text.kinds[each.kind],
      })),
    [workspaceId, text],
  );
  return (
    <Page
      title={text.title}
      context={text.databases}
      path={
        <Link to="/w/$workspaceId/databases" params={{ workspaceId }}>
          {text.databases}
        </Link>
      }
    >
      <PageBody>
        <div className={styles.choice}>
          <Combobox
            label={text.owner}
            placeholder={text.choose}
            value={owner && { value: `${owner.kind}:${owner.id}`, label: name ?? "" }}
            options={find}
            onChange={(next) => {
              const [kind, id] = next?.value.split(":") ?? [];
              if (kind) void navigate({ search: { [kind]: id, side: search.side } });
            }}
          />
          {owner && (
            <Segmented
              label={text.side}
              value={side}
              options={[
                { value: "online", label: text.sides.online },
                { value: "draft", label: text.sides.draft },
              ]}
              onChange={(next) =>
                void navigate({
                  search: ({ agent, app }) => ({
                    agent,
                    app,
                    side: next === "draft" ? next : undefined,
                  }),
                  replace: true,
                })
              }
            />
          )}
        </div>
        {!owner && (
          <EmptyState title={text.nothing} drawing={<Variable size={40} strokeWidth={1} />}>
            {text.nothingWhy}
          </EmptyState>
        )}
        {failure && (
          <ErrorState
            failure={failure}
            onRetry={() => void (search.agent ? agent : app).refetch()}
          />
        )}
        {owner && name !== undefined && (
          <>
            <Section title={text.declared} note={text.declaredWhy}>
              {agent.data && <AgentDeclarations agent={agent.data} />}
              {app.data && (
                <AppDeclarations
                  key={`${app.data.id} ${app.data.revision}`}
                  app={app.data}
                  canWrite={may(workspace, "bot.write")}
                />
              )}
            </Section>
            <Section title={text.people} note={text.peopleWhy}>
              <People
                key={`${owner.kind} ${owner.id} ${side}`}
                workspaceId={workspaceId}
                owner={owner}
                shared={new Set(sharedOf(app.data))}
                canWrite={may(workspace, "variable")}
              />
            </Section>
          </>
        )}
      </PageBody>
    </Page>
  );
}

type App = NonNullable<ReturnType<typeof useApp>["data"]>;

/** Names of what all people of an app have one value of. */
function sharedOf(app: App | undefined): readonly string[] {
  return app?.variables.filter((each) => each.channel === "app").map((each) => each.key) ?? [];
}
