import { Link } from "@tanstack/react-router";
import { Braces, History, Link2, Pencil } from "lucide-react";
import type { AskedOfAgent } from "../../agent/agent-dialogs";
import { AgentItems } from "../../agent/agent-items";
import type { AdminAgent } from "../../api/schema";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem, MenuLine, MenuLink } from "../../ui/menu/menu";
import { workbenchText } from "./text";

/** What the header's menu asks about. */
export type AskedOfDraft = { kind: "code" } | { kind: "name" } | AskedOfAgent;

type Props = { agent: AdminAgent; onAsk: (asked: AskedOfDraft) => void };

/** What can be done with the agent besides editing and publishing it. */
export function WorkbenchMenu({ agent, onAsk }: Props) {
  const text = useText(workbenchText).menu;
  const workspace = useWorkspace(agent.workspace_id);
  const canWrite = may(workspace, "bot.write");
  const params = { workspaceId: agent.workspace_id, agentId: agent.id };
  const known = { ...agent, is_published: agent.live_version !== "" };
  return (
    <RowMenu
      name={agent.name}
      id={agent.id}
      size="normal"
      onDelete={canWrite ? () => onAsk({ kind: "delete", agent: known }) : undefined}
    >
      <MenuLink
        icon={<History size={16} />}
        link={<Link to="/w/$workspaceId/agents/$agentId/versions" params={params} />}
      >
        {text.versions}
      </MenuLink>
      <MenuItem icon={<Braces size={16} />} onSelect={() => onAsk({ kind: "code" })}>
        {text.code}
      </MenuItem>
      {may(workspace, "bot.publish") && (
        <MenuLink
          icon={<Link2 size={16} />}
          link={
            <Link
              to="/w/$workspaceId/links"
              params={{ workspaceId: agent.workspace_id }}
              search={{ agent: agent.id }}
            />
          }
        >
          {text.shareLink}
        </MenuLink>
      )}
      <MenuLine />
      {canWrite && (
        <MenuItem icon={<Pencil size={16} />} onSelect={() => onAsk({ kind: "name" })}>
          {text.name}
        </MenuItem>
      )}
      <AgentItems agent={known} canWrite={canWrite} onAsk={onAsk} />
    </RowMenu>
  );
}
