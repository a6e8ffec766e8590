import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleOff, Wrench } from "lucide-react";
import { useMemo, useState } from "react";
import { failureOf } from "../../../api/list";
import { Method } from "../../../plugin/method";
import { useText } from "../../../text/catalogue";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { NameDialog } from "../../../ui/form/name-dialog";
import { RowMenu } from "../../../ui/list/row-menu";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import { NameCell } from "../../../ui/table/name-cell";
import { type Column, Table } from "../../../ui/table/table";
import { Tile } from "../../../ui/tile/tile";
import type { Plugin } from "../queries";
import { type Tool, toolsQuery, useAddTool, useDeleteTool } from "./queries";
import { ServerTools } from "./server-tools";
import { pluginText } from "./text";
import styles from "./tools-tab.module.css";

type Props = {
  workspaceId: string;
  plugin: Plugin;
  canWrite: boolean;
  isAdding: boolean;
  setAdding: (isAdding: boolean) => void;
};

/** The tools of a plugin; those of an MCP server come from its list. */
export function ToolsTab({ workspaceId, plugin, canWrite, isAdding, setAdding }: Props) {
  const text = useText(pluginText);
  const go = useNavigate();
  const { data, error, refetch, isPending } = useQuery(toolsQuery(plugin.id));
  const [doomed, setDoomed] = useState<Tool>();
  const remove = useDeleteTool(plugin.id);
  const columns = useColumns(workspaceId, plugin);
  const failure = failureOf(error);
  function open(tool: Tool): void {
    void go({
      to: "/w/$workspaceId/plugins/$pluginId/tools/$toolId",
      params: { workspaceId, pluginId: plugin.id, toolId: tool.id },
    });
  }
  return (
    <div className={styles.tab}>
      {canWrite && plugin.type === "mcp" && <ServerTools plugin={plugin} />}
      {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState title={text.noTools} drawing={<Wrench size={40} strokeWidth={1} />}>
          {plugin.type === "mcp" ? text.noToolsServer : text.noToolsWhy}
        </EmptyState>
      )}
      {(isPending || (data?.total ?? 0) > 0) && (
        <Table
          label={text.tabs.tools}
          columns={columns}
          rows={data?.items ?? []}
          total={data?.total ?? 0}
          keyOf={(tool) => tool.id}
          isLoading={isPending}
          hasMore={false}
          onMore={() => undefined}
          menu={(tool) => (
            <RowMenu
              name={tool.name}
              id={tool.id}
              onDelete={canWrite ? () => setDoomed(tool) : undefined}
            />
          )}
          onKey={(key, tool) => {
            if (key === "Enter") open(tool);
            if (key === "Delete" && canWrite) setDoomed(tool);
          }}
        />
      )}
      {isAdding && (
        <AddTool plugin={plugin} onClose={() => setAdding(false)} onMade={(tool) => open(tool)} />
      )}
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          name={doomed.name}
          words={text.tool}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}

function useColumns(workspaceId: string, plugin: Plugin): readonly Column<Tool>[] {
  const text = useText(pluginText);
  const { id: pluginId, type } = plugin;
  return useMemo(() => {
    const call: Column<Tool> = {
      key: "call",
      label: text.columns.call,
      width: "minmax(160px, 0.8fr)",
      leaveOut: "medium",
      render: (tool) => (
        <span className={styles.call}>
          <Method method={tool.method} />
          {tool.path}
        </span>
      ),
    };
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (tool) => (
          <NameCell
            tile={<Tile name={tool.name} icon={<Wrench size={14} />} />}
            name={
              <Link
                to="/w/$workspaceId/plugins/$pluginId/tools/$toolId"
                params={{ workspaceId, pluginId, toolId: tool.id }}
              >
                {tool.name}
              </Link>
            }
            note={tool.description}
          />
        ),
      },
      ...(type === "http" ? [call] : []),
      {
        key: "effect",
        label: text.columns.effect,
        width: "168px",
        leaveOut: "medium",
        render: (tool) =>
          tool.needs_approval
            ? `${text.effects[tool.effect]} · ${text.asks}`
            : text.effects[tool.effect],
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(112px, 144px)",
        render: (tool) => <ToolState tool={tool} />,
      },
    ];
  }, [text, workspaceId, pluginId, type]);
}

function ToolState({ tool }: { tool: Tool }) {
  const { toolStates: text } = useText(pluginText);
  if (tool.disabled)
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {text.off}
      </StateBadge>
    );
  return tool.debugged ? (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {text.tried}
    </StateBadge>
  ) : (
    <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
      {text.untried}
    </StateBadge>
  );
}

type AddProps = { plugin: Plugin; onClose: () => void; onMade: (tool: Tool) => void };

function AddTool({ plugin, onClose, onMade }: AddProps) {
  const text = useText(pluginText);
  const add = useAddTool(plugin.id);
  return (
    <NameDialog
      title={text.addTool}
      verb={text.addVerb}
      labels={{
        name: text.fields.name,
        description: text.fields.toolDescription,
        hint: text.fields.toolDescriptionHint,
      }}
      isPending={add.isPending}
      failure={failureOf(add.error)}
      onClose={onClose}
      onSubmit={(named) =>
        add.mutate(
          {
            ...named,
            method: "GET",
            path: "/",
            parameters: [],
            responses: [],
            body_is_whole: false,
            disabled: false,
            needs_approval: false,
            returns_directly: false,
            workflow_id: "",
          },
          { onSuccess: onMade },
        )
      }
    />
  );
}
