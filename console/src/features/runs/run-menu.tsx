import { Link } from "@tanstack/react-router";
import { Bot, Filter, MessagesSquare, Workflow } from "lucide-react";
import { useText } from "../../text/catalogue";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuLink } from "../../ui/menu/menu";
import type { Run } from "./queries";
import { runsText } from "./text";

/** Where a run leads to: what ran, its other runs. */
export function RunMenu({ run }: { run: Run }) {
  const text = useText(runsText);
  const workspaceId = run.workspace_id;
  const { agent_id: agentId, workflow_id: workflowId, conversation_id: conversationId } = run;
  return (
    <RowMenu name={run.name} id={run.run_id}>
      {agentId && (
        <MenuLink
          icon={<Bot size={16} />}
          link={<Link to="/w/$workspaceId/agents/$agentId" params={{ workspaceId, agentId }} />}
        >
          {text.openAgent}
        </MenuLink>
      )}
      {workflowId && (
        <MenuLink
          icon={<Workflow size={16} />}
          link={
            <Link to="/w/$workspaceId/workflows/$workflowId" params={{ workspaceId, workflowId }} />
          }
        >
          {text.openWorkflow}
        </MenuLink>
      )}
      {conversationId && (
        <MenuLink
          icon={<MessagesSquare size={16} />}
          link={
            <Link
              to="/w/$workspaceId/conversations/$conversationId"
              params={{ workspaceId, conversationId }}
            />
          }
        >
          {text.openConversation}
        </MenuLink>
      )}
      <MenuLink
        icon={<Filter size={16} />}
        link={
          <Link
            to="/w/$workspaceId/runs"
            params={{ workspaceId }}
            search={agentId ? { agent: agentId } : { workflow: workflowId ?? undefined }}
          />
        }
      >
        {text.onlyThese}
      </MenuLink>
    </RowMenu>
  );
}
