import { getRouteApi } from "@tanstack/react-router";
import { Download, Plus } from "lucide-react";
import { useState } from "react";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Page } from "../../ui/page/page";
import { Tabs } from "../../ui/tabs/tabs";
import { Budgets } from "./budgets";
import { entriesFile } from "./queries";
import { Report } from "./report";
import { PERIODS, spanOf } from "./span";
import { usageText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/usage");
const TABS = ["usage", "budgets"] as const;

/** What a workspace used and what that cost, and how much it may. */
export function Usage() {
  const text = useText(usageText);
  const { workspaceId } = page.useParams();
  const { tab: wanted, period: asked } = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const tab = TABS.find((each) => each === wanted) ?? "usage";
  const period = PERIODS.find((each) => each === asked) ?? "month";
  const [nowS] = useState(() => Date.now() / 1000);
  const [isMaking, setMaking] = useState(false);
  const span = spanOf(period, nowS);
  const canWrite = may(workspace, "workspace.write");
  return (
    <Page
      title={text.title}
      context={workspace?.name ?? ""}
      actions={
        tab === "usage" ? (
          <Button
            icon={<Download size={16} />}
            onClick={() => download(entriesFile(workspaceId, span))}
          >
            {text.export}
          </Button>
        ) : (
          canWrite && (
            <Button kind="primary" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
              {text.budgets.create}
            </Button>
          )
        )
      }
    >
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, tab: value === "usage" ? undefined : value }),
          })
        }
      >
        {tab === "usage" && <Report workspaceId={workspaceId} period={period} span={span} />}
        {tab === "budgets" && (
          <Budgets
            workspaceId={workspaceId}
            canWrite={canWrite}
            isMaking={isMaking}
            setMaking={setMaking}
          />
        )}
      </Tabs>
    </Page>
  );
}

/** Lets the browser fetch a file that is made while it is read. */
function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
