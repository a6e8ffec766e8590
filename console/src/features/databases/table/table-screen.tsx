import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page, PageBody } from "../../../ui/page/page";
import { Segmented } from "../../../ui/segmented/segmented";
import { Tabs } from "../../../ui/tabs/tabs";
import { DataTab } from "./data-tab";
import { databaseQuery, type Target } from "./queries";
import { SettingsTab } from "./settings-tab";
import { SqlTab } from "./sql-tab";
import { StructureTab } from "./structure-tab";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/databases/$databaseId");
const TABS = ["rows", "structure", "sql", "settings"] as const;

/** One table: its rows on both sides, its fields, and who uses it. */
export function TableScreen() {
  const text = useText(tableText);
  const { workspaceId, databaseId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const canWrite = may(useWorkspace(workspaceId), "dataset.write");
  const { data: table, error, refetch } = useQuery(databaseQuery(databaseId));
  const tab = TABS.find((each) => each === search.tab) ?? "rows";
  const side = search.side === "online" ? "online" : "draft";
  const target: Target = { databaseId, side, user: search.user ?? "" };
  const path = (
    <Link to="/w/$workspaceId/databases" params={{ workspaceId }}>
      {text.databases}
    </Link>
  );
  if (table?.id !== databaseId) {
    const failure = failureOf(error);
    return (
      <Page title="" path={path} context={text.databases}>
        {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const hasSides = tab === "rows" || tab === "sql";
  return (
    <Page title={table.table_name} path={path} context={text.databases}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, tab: value === "rows" ? undefined : value }),
          })
        }
        aside={
          hasSides && (
            <Segmented
              label={text.side}
              value={side}
              options={[
                { value: "draft", label: text.sides.draft },
                { value: "online", label: text.sides.online },
              ]}
              onChange={(next) =>
                void navigate({
                  search: (old) => ({ ...old, side: next === "draft" ? undefined : next }),
                  replace: true,
                })
              }
            />
          )
        }
      >
        {hasSides && (
          <p className={styles.band} data-side={side}>
            {text.sideNotes[side]}
          </p>
        )}
        {tab === "rows" && (
          <DataTab
            key={`${side} ${target.user}`}
            workspaceId={workspaceId}
            table={table}
            target={target}
            canWrite={canWrite}
          />
        )}
        {tab === "structure" && (
          <PageBody>
            <StructureTab key={table.revision} table={table} canWrite={canWrite} />
          </PageBody>
        )}
        {tab === "sql" && <SqlTab table={table} target={target} />}
        {tab === "settings" && (
          <PageBody>
            <SettingsTab workspaceId={workspaceId} table={table} canWrite={canWrite} />
          </PageBody>
        )}
      </Tabs>
    </Page>
  );
}
