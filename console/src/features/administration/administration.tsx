import { getRouteApi } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { lazy } from "react";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { Page } from "../../ui/page/page";
import { Tabs } from "../../ui/tabs/tabs";
import { AuditLog } from "./audit-log";
import { administrationText } from "./text";
import { Users } from "./users";

const Groups = lazy(() => import("../../groups/groups"));
const Workspaces = lazy(() => import("./workspaces"));
const Apps = lazy(() => import("./apps"));
const Providers = lazy(() => import("./providers"));
const page = getRouteApi("/shell/admin/{-$tab}");
const TABS = ["users", "groups", "workspaces", "providers", "apps", "audit"] as const;

/** Accounts and workspaces of the deployment, by whom people sign in, and who changed what. */
export function Administration() {
  const text = useText(administrationText);
  const { user } = useSession();
  const { tab: wanted } = page.useParams();
  const navigate = page.useNavigate();
  const tab = TABS.find((each) => each === wanted) ?? "users";
  if (!user.is_admin) {
    return (
      <Page title={text.title}>
        <EmptyState title={text.noRight} drawing={<ShieldX size={40} strokeWidth={1} />}>
          {text.noRightWhy}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={text.title} context={text.tabs[tab]}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) =>
          void navigate({
            to: "/admin/{-$tab}",
            params: { tab: value === "users" ? undefined : value },
            search: {},
          })
        }
      >
        {tab === "users" && <Users />}
        {tab === "audit" && <AuditLog />}
        {tab === "groups" && <Groups />}
        {tab === "workspaces" && <Workspaces />}
        {tab === "providers" && <Providers />}
        {tab === "apps" && <Apps />}
      </Tabs>
    </Page>
  );
}
