import { getRouteApi } from "@tanstack/react-router";
import { lazy } from "react";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Page } from "../../ui/page/page";
import { Tabs } from "../../ui/tabs/tabs";
import { General } from "./general";
import { Members } from "./members";
import { ServiceTokens } from "./service-tokens";
import { settingsText } from "./text";
import { Tokens } from "./tokens";

const Groups = lazy(() => import("../../groups/groups"));
const Sharing = lazy(() => import("./sharing"));
const Apps = lazy(() => import("./apps"));

const page = getRouteApi("/shell/w/$workspaceId/settings/{-$tab}");
const TABS = ["general", "members", "groups", "sharing", "tokens", "services", "apps"] as const;
/** What only those see who administer the workspace. */
const MANAGED: readonly string[] = ["groups", "sharing", "services", "apps"];

/** What a workspace is called, who is in it, and what programs may do there. */
export function Settings() {
  const text = useText(settingsText);
  const { workspaceId, tab: wanted } = page.useParams();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const canManage = may(workspace, "workspace.write");
  const tabs = TABS.filter((each) => canManage || !MANAGED.includes(each));
  const tab = tabs.find((each) => each === wanted) ?? "general";
  if (!workspace) return null;
  return (
    <Page title={text.title} context={workspace.name}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={tabs.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) =>
          void navigate({
            to: "/w/$workspaceId/settings/{-$tab}",
            params: { workspaceId, tab: value === "general" ? undefined : value },
          })
        }
      >
        {tab === "general" && <General key={workspaceId} workspace={workspace} />}
        {tab === "members" && <Members workspace={workspace} />}
        {tab === "tokens" && <Tokens workspace={workspace} />}
        {tab === "services" && <ServiceTokens workspace={workspace} />}
        {tab === "groups" && <Groups key={workspaceId} workspaceId={workspaceId} />}
        {tab === "sharing" && <Sharing key={workspaceId} workspace={workspace} />}
        {tab === "apps" && <Apps workspace={workspace} />}
      </Tabs>
    </Page>
  );
}
