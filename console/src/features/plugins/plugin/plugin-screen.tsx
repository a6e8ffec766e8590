import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus, Rocket } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page, PageBody } from "../../../ui/page/page";
import { ReleaseBadge } from "../../../ui/state-badge/release-badge";
import { Tabs } from "../../../ui/tabs/tabs";
import { AccessTab } from "./access-tab";
import { pluginQuery, useUpdatePlugin } from "./queries";
import { SettingsTab } from "./settings-tab";
import { pluginText } from "./text";
import { ToolsTab } from "./tools-tab";
import { VersionsTab } from "./versions-tab";

const page = getRouteApi("/shell/w/$workspaceId/plugins/$pluginId");
const TABS = ["tools", "access", "versions", "settings"] as const;
const PublishDialog = lazy(() => import("./publish-dialog"));

/** One plugin: its tools, how its calls prove who they are, and what of it is published. */
export function PluginScreen() {
  const text = useText(pluginText);
  const { workspaceId, pluginId } = page.useParams();
  const { tab: wanted } = page.useSearch();
  const navigate = page.useNavigate();
  const canWrite = may(useWorkspace(workspaceId), "plugin.write");
  const { data: plugin, error, refetch } = useQuery(pluginQuery(pluginId));
  const update = useUpdatePlugin(pluginId);
  const [isPublishing, setPublishing] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const tab = TABS.find((each) => each === wanted) ?? "tools";
  const path = (
    <Link to="/w/$workspaceId/plugins" params={{ workspaceId }}>
      {text.plugins}
    </Link>
  );
  if (plugin?.id !== pluginId) {
    const failure = failureOf(error);
    return (
      <Page title="" path={path} context={text.plugins}>
        {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const props = { workspaceId, plugin, canWrite };
  return (
    <Page
      title={plugin.name}
      onRename={canWrite && ((name) => update.mutateAsync({ name }))}
      path={path}
      context={text.plugins}
      state={
        <ReleaseBadge
          isPublished={plugin.status === "published"}
          isChanged={plugin.is_draft_changed}
          version={plugin.published_version}
        />
      }
      actions={
        canWrite && (
          <Button
            kind="primary"
            icon={<Rocket size={16} />}
            disabled={plugin.tool_count === 0}
            onClick={() => setPublishing(true)}
          >
            {text.publish}
          </Button>
        )
      }
    >
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({
          value,
          label: text.tabs[value],
          count: value === "tools" ? plugin.tool_count : undefined,
        }))}
        onChange={(value) => void navigate({ search: value === "tools" ? {} : { tab: value } })}
        aside={
          tab === "tools" &&
          canWrite &&
          plugin.type === "http" && (
            <Button size="compact" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
              {text.addTool}
            </Button>
          )
        }
      >
        {tab === "tools" && <ToolsTab {...props} isAdding={isAdding} setAdding={setAdding} />}
        {tab === "access" && (
          <PageBody>
            <AccessTab key={plugin.id} {...props} />
          </PageBody>
        )}
        {tab === "versions" && (
          <PageBody>
            <VersionsTab {...props} />
          </PageBody>
        )}
        {tab === "settings" && (
          <PageBody>
            <SettingsTab key={plugin.id} {...props} />
          </PageBody>
        )}
      </Tabs>
      <Suspense>
        {isPublishing && <PublishDialog plugin={plugin} onClose={() => setPublishing(false)} />}
      </Suspense>
    </Page>
  );
}
