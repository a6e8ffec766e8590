import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useMemo } from "react";
import { failureOf } from "../../api/list";
import { ChangesPanel } from "../../canvas/compare/changes-panel";
import { compared } from "../../canvas/compare/compare";
import { DRAFT, useCanvasText, useRestore } from "../../canvas/compare/queries";
import { compareText } from "../../canvas/compare/text";
import { VersionView } from "../../canvas/compare/version-view";
import { VersionsPanel } from "../../canvas/compare/versions-panel";
import { parse } from "../../canvas/document/parse";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";
import { toast } from "../../ui/toast/toasts";

const page = getRouteApi("/shell/w/$workspaceId/workflows/$workflowId/versions");

/** Versions of a workflow: one on its canvas, or two laid over each other. */
export function VersionsScreen() {
  const text = useText(compareText);
  const { workspaceId, workflowId } = page.useParams();
  const { a, b = DRAFT, node = "", run = "" } = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const newer = useCanvasText(workflowId, b);
  const older = useCanvasText(workflowId, a);
  const restore = useRestore(workflowId);
  const shown = useMemo(() => {
    if (!newer.data || newer.isPlaceholderData) return undefined;
    const next = parse(newer.data.text).value;
    if (a === undefined) return { root: next, comparison: undefined };
    if (!older.data || older.isPlaceholderData) return undefined;
    const comparison = compared(parse(older.data.text).value, next);
    return { root: comparison.root, comparison };
  }, [newer.data, newer.isPlaceholderData, older.data, older.isPlaceholderData, a]);
  const show = (search: { a?: string; b?: string; node?: string }) =>
    void navigate({ search, replace: search.node !== undefined });
  const failure = failureOf(newer.error ?? older.error);
  const nameOf = (version: string) => (version === DRAFT ? text.draft : version);

  function step(by: 1 | -1): void {
    const changes = shown?.comparison?.changes ?? [];
    const at = changes.findIndex((each) => each.id === node);
    const from = at < 0 && by < 0 ? 0 : at;
    const next = changes[(from + by + changes.length) % Math.max(changes.length, 1)];
    if (next && a !== undefined) show({ a, b, node: next.id });
  }
  function bringBack(version: string): void {
    restore.mutate(version, {
      onSuccess: (undo) => {
        show({ b: DRAFT });
        toast(text.restored(version), {
          label: text.undo,
          run: () =>
            void undo().then(
              () => toast(text.undone),
              () => toast(text.undoFailed),
            ),
        });
      },
      onError: () => toast(text.restoreFailed),
    });
  }

  const name = newer.data?.workflow.name ?? "";
  return (
    <Page
      title={a === undefined ? nameOf(b) : `${nameOf(a)} → ${nameOf(b)}`}
      context={name}
      path={
        <Link to="/w/$workspaceId/workflows/$workflowId" params={{ workspaceId, workflowId }}>
          {name || text.back}
        </Link>
      }
      state={<span>{text.readOnly}</span>}
      actions={
        <Button
          icon={<ArrowLeft size={16} />}
          onClick={() =>
            void navigate({
              to: "/w/$workspaceId/workflows/$workflowId",
              params: { workspaceId, workflowId },
              search: {},
            })
          }
        >
          {text.back}
        </Button>
      }
    >
      {failure && (
        <PageBody>
          <ErrorState
            failure={failure}
            onRetry={() => {
              void newer.refetch();
              if (a !== undefined) void older.refetch();
            }}
          />
        </PageBody>
      )}
      {!failure && shown && (
        <VersionView
          key={`${a ?? ""}/${b}/${newer.dataUpdatedAt}`}
          workflowId={workflowId}
          root={shown.root}
          comparison={shown.comparison}
          chosenId={node}
          onChoose={(id) => a !== undefined && show({ a, b, node: id })}
          onStep={step}
          runId={run}
          side={
            shown.comparison && a !== undefined ? (
              <ChangesPanel
                workflowId={workflowId}
                from={a}
                to={b}
                comparison={shown.comparison}
                chosenId={node}
                onChoose={(id) => show({ a, b, node: id })}
                onStep={step}
                onSides={(from, to) => show({ a: from, b: to })}
                onClose={() => show({ b })}
              />
            ) : (
              <VersionsPanel
                workflowId={workflowId}
                shown={b}
                canRestore={may(workspace, "workflow.write")}
                restoring={restore.isPending ? restore.variables : ""}
                onShow={(version) => show({ b: version })}
                onCompare={(version) => show({ a: version, b: DRAFT })}
                onRestore={bringBack}
              />
            )
          }
        />
      )}
    </Page>
  );
}
