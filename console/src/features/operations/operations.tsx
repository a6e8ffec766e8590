import { getRouteApi } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { lazy } from "react";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { Page } from "../../ui/page/page";
import { Tabs } from "../../ui/tabs/tabs";
import { Health } from "./health";
import { useHealth } from "./queries";
import { StatusBadge } from "./status-badge";
import { operationsText } from "./text";

const Queues = lazy(() => import("./queues"));
const DeadLetters = lazy(() => import("./dead-letters"));
const Metrics = lazy(() => import("./metrics"));
const Logs = lazy(() => import("./logs"));
const Backup = lazy(() => import("./backup"));
const Settings = lazy(() => import("./settings"));
const page = getRouteApi("/shell/operations/{-$tab}");
const TABS = ["health", "queues", "letters", "metrics", "logs", "backup", "settings"] as const;

/** How the deployment is, what waits in it, and what it says of itself. */
export function Operations() {
  const text = useText(operationsText);
  const { user } = useSession();
  if (user.is_admin) return <Parts />;
  return (
    <Page title={text.title}>
      <EmptyState title={text.noRight} drawing={<ShieldX size={40} strokeWidth={1} />}>
        {text.noRightWhy}
      </EmptyState>
    </Page>
  );
}

function Parts() {
  const text = useText(operationsText);
  const { tab: wanted } = page.useParams();
  const navigate = page.useNavigate();
  const tab = TABS.find((each) => each === wanted) ?? "health";
  const health = useHealth();
  return (
    <Page
      title={text.title}
      context={text.tabs[tab]}
      state={health.data && !health.isError && <StatusBadge status={health.data.status} />}
    >
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) =>
          void navigate({
            to: "/operations/{-$tab}",
            params: { tab: value === "health" ? undefined : value },
            search: {},
          })
        }
      >
        {tab === "health" && <Health />}
        {tab === "queues" && <Queues />}
        {tab === "letters" && <DeadLetters />}
        {tab === "metrics" && <Metrics />}
        {tab === "logs" && <Logs />}
        {tab === "backup" && <Backup />}
        {tab === "settings" && <Settings />}
      </Tabs>
    </Page>
  );
}
