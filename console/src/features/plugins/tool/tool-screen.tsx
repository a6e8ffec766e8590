import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { editOf, isEdited, type ToolEdit } from "../../../tool/rules";
import { TestCall } from "../../../tool/test-call";
import { Button } from "../../../ui/button/button";
import { ErrorState } from "../../../ui/error-state/error-state";
import { useUnsaved } from "../../../ui/form/unsaved";
import { Page } from "../../../ui/page/page";
import { toast } from "../../../ui/toast/toasts";
import { pluginQuery, type Tool, toolsQuery, useUpdateTool } from "../plugin/queries";
import type { Plugin } from "../queries";
import { toolText } from "./text";
import { ToolForm } from "./tool-form";
import styles from "./tool-screen.module.css";

const page = getRouteApi("/shell/w/$workspaceId/plugins/$pluginId/tools/$toolId");

/** One tool: what a model reads of it, what is sent, and a call to see that it works. */
export function ToolScreen() {
  const text = useText(toolText);
  const { workspaceId, pluginId, toolId } = page.useParams();
  const plugin = useQuery(pluginQuery(pluginId));
  const tools = useQuery(toolsQuery(pluginId));
  const tool = tools.data?.items.find((each) => each.id === toolId);
  const path = (
    <>
      <Link to="/w/$workspaceId/plugins" params={{ workspaceId }}>
        {text.plugins}
      </Link>
      {plugin.data && (
        <Link to="/w/$workspaceId/plugins/$pluginId" params={{ workspaceId, pluginId }}>
          {plugin.data.name}
        </Link>
      )}
    </>
  );
  if (plugin.data && tool) {
    return (
      <Editor
        key={tool.id}
        workspaceId={workspaceId}
        plugin={plugin.data}
        tool={tool}
        path={path}
      />
    );
  }
  const missing = tools.data ? { message: text.missing, status: 404 } : undefined;
  const failure = failureOf(plugin.error ?? tools.error) ?? missing;
  return (
    <Page title="" path={path} context={text.plugins}>
      {failure && <ErrorState failure={failure} onRetry={() => void tools.refetch()} />}
    </Page>
  );
}

type Props = { workspaceId: string; plugin: Plugin; tool: Tool; path: ReactNode };

function Editor({ workspaceId, plugin, tool, path }: Props) {
  const text = useText(toolText);
  const canWrite = may(useWorkspace(workspaceId), "plugin.write");
  const [edit, setEdit] = useState<ToolEdit>(() => editOf(tool));
  const save = useUpdateTool(plugin.id);
  const failure = failureOf(save.error);
  const isChanged = isEdited(tool, edit);
  const put = (change: Partial<ToolEdit>) => setEdit((before) => ({ ...before, ...change }));
  useUnsaved(isChanged && !save.isPending);
  async function store(): Promise<void> {
    if (!isChanged) return;
    const stored = await save.mutateAsync({ id: tool.id, body: edit });
    setEdit(editOf(stored));
  }
  const canCall = plugin.type === "http" || plugin.type === "mcp";
  return (
    <Page
      title={tool.name}
      path={path}
      context={plugin.name}
      state={isChanged && text.unsaved}
      actions={
        canWrite && (
          <Button
            kind="primary"
            disabled={!isChanged || !edit.name.trim()}
            isLoading={save.isPending}
            onClick={() =>
              void store().then(
                () => toast(text.saved),
                () => undefined,
              )
            }
          >
            {text.save}
          </Button>
        )
      }
    >
      <div className={canCall ? styles.panes : styles.single}>
        <ToolForm
          kind={plugin.type}
          tool={tool}
          edit={edit}
          canWrite={canWrite}
          failure={failure}
          onEdit={put}
        />
        {canCall && (
          <div className={styles.call}>
            <Suspense>
              <TestCall
                tool={tool}
                isChanged={isChanged}
                canCall={canWrite}
                onSave={store}
                onExample={canWrite ? (example) => put({ example }) : undefined}
                onSchema={
                  canWrite && plugin.type === "http"
                    ? (responses) => put({ responses, response_policy: "declared" })
                    : undefined
                }
              />
            </Suspense>
          </div>
        )}
      </div>
    </Page>
  );
}
