import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleOff, LoaderCircle } from "lucide-react";
import { lazy } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page, PageBody } from "../../../ui/page/page";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import { Tabs } from "../../../ui/tabs/tabs";
import { Documents } from "./documents";
import { ImportButton } from "./import-button";
import { baseQuery, useProgress, useUpdateBase } from "./queries";
import { Settings } from "./settings";
import { baseText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");
const TABS = ["documents", "test", "quality", "settings"] as const;
const TestPane = lazy(() => import("../test/test-pane"));
const QualityPane = lazy(() => import("../quality/quality-pane"));
const ImageGrid = lazy(() => import("../image/image-grid"));
const ImageViews = lazy(async () => ({
  default: (await import("../image/image-views")).ImageViews,
}));
const OF_IMAGES = 2;

/** One knowledge base: its documents, and what it is set to. */
export function BaseScreen() {
  const text = useText(baseText);
  const { workspaceId, baseId } = page.useParams();
  const { tab: wanted, view, agent, of } = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "dataset.write");
  const { data: base, error, refetch } = useQuery(baseQuery(baseId));
  const progress = useProgress(baseId);
  const update = useUpdateBase(baseId);
  const tab = TABS.find((each) => each === wanted) ?? "documents";
  const path = (
    <Link to="/w/$workspaceId/knowledge" params={{ workspaceId }}>
      {text.knowledge}
    </Link>
  );
  if (!base) {
    const failure = failureOf(error);
    return (
      <Page title="" path={path} context={text.knowledge}>
        {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const isRebuilding = base.rebuild?.state === "building";
  const isOfImages = base.format_type === OF_IMAGES;
  const isGrid = isOfImages && view !== "table";
  const held = { workspaceId, base, canWrite, progress };
  return (
    <Page
      title={base.name}
      onRename={canWrite && ((name) => update.mutateAsync({ name }))}
      longestName={100}
      path={path}
      context={text.knowledge}
      state={
        <BaseFacts isOff={!base.enabled} working={progress.size} isRebuilding={isRebuilding} />
      }
      actions={canWrite && <ImportButton workspaceId={workspaceId} baseId={baseId} />}
    >
      <Tabs
        label={text.tabsLabel}
        value={tab}
        isFilling
        isOfPage
        tabs={TABS.map((value) => ({ value, label: text.tabs[value] }))}
        onChange={(value) => void navigate({ search: value === "documents" ? {} : { tab: value } })}
      >
        {tab === "documents" && isGrid && <ImageGrid {...held} />}
        {tab === "documents" && !isGrid && (
          <Documents {...held} {...(isOfImages && { views: <ImageViews /> })} />
        )}
        {tab === "test" && (
          <TestPane
            key={baseId}
            workspaceId={workspaceId}
            base={base}
            agentId={agent}
            onAgent={(next) =>
              void navigate({ search: { tab: "test", agent: next }, replace: true })
            }
          />
        )}
        {tab === "quality" && (
          <QualityPane
            workspaceId={workspaceId}
            base={base}
            of={of}
            onLook={(next) =>
              void navigate({ search: { tab: "quality", of: next }, replace: true })
            }
          />
        )}
        {tab === "settings" && (
          <PageBody>
            <Settings workspaceId={workspaceId} base={base} canWrite={canWrite} />
          </PageBody>
        )}
      </Tabs>
    </Page>
  );
}

type Facts = { isOff: boolean; working: number; isRebuilding: boolean };

function BaseFacts({ isOff, working, isRebuilding }: Facts) {
  const text = useText(baseText);
  if (working > 0)
    return (
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {text.reading(working)}
      </StateBadge>
    );
  if (isRebuilding)
    return (
      <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
        {text.rebuilding}
      </StateBadge>
    );
  return isOff ? (
    <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
      {text.off}
    </StateBadge>
  ) : null;
}
