import { getRouteApi, Link as RouteLink } from "@tanstack/react-router";
import { Copy, ExternalLink, Link2, Pencil, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { addressOf } from "../../agent/share-address";
import { failureOf } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem, MenuLink } from "../../ui/menu/menu";
import { toast } from "../../ui/toast/toasts";
import { useColumns } from "./columns";
import { type Link, useLinks, useRevokeLink } from "./queries";
import { linksText } from "./text";

const NewLink = lazy(() => import("./new-link"));
const page = getRouteApi("/shell/w/$workspaceId/links");

/** The links of a workspace under which strangers talk to its agents. */
export function Links() {
  const text = useText(linksText);
  const { workspaceId } = page.useParams();
  const { agent } = page.useSearch();
  const navigate = page.useNavigate();
  const workspace = useWorkspace(workspaceId);
  const list = useLinks(workspaceId);
  const revoke = useRevokeLink();
  const columns = useColumns(workspaceId, may(workspace, "usage.read"));
  const canWrite = may(workspace, "bot.publish");
  const [isMaking, setMaking] = useState(agent !== undefined && canWrite);
  const [doomed, setDoomed] = useState<Link>();
  function edit(linkId: string): void {
    void navigate({ to: "/w/$workspaceId/links/$linkId", params: { workspaceId, linkId } });
  }
  function close(): void {
    setMaking(false);
    if (agent) void navigate({ search: {}, replace: true });
  }
  const create = canWrite && (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
      {text.create}
    </Button>
  );
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={create}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<Link2 size={40} strokeWidth={1} />}
            action={create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(link) => link.id}
        menu={(link) => (
          <RowMenu
            name={link.settings.name}
            id={link.id}
            deleteVerb={text.removeVerb}
            onDelete={canWrite ? () => setDoomed(link) : undefined}
          >
            {canWrite && (
              <MenuLink
                icon={<Pencil size={16} />}
                link={
                  <RouteLink
                    to="/w/$workspaceId/links/$linkId"
                    params={{ workspaceId, linkId: link.id }}
                  />
                }
              >
                {text.edit}
              </MenuLink>
            )}
            <MenuItem
              icon={<ExternalLink size={16} />}
              onSelect={() => void window.open(addressOf(link), "_blank", "noopener")}
            >
              {text.open}
            </MenuItem>
            <MenuItem
              icon={<Copy size={16} />}
              onSelect={() =>
                void navigator.clipboard
                  .writeText(addressOf(link))
                  .then(() => toast(text.addressCopied))
              }
            >
              {text.copyAddress}
            </MenuItem>
          </RowMenu>
        )}
        onKey={(key, link) => {
          if (canWrite && (key === "Enter" || key === "e")) edit(link.id);
          if (canWrite && key === "Delete") setDoomed(link);
        }}
      />
      <Suspense>
        {isMaking && (
          <NewLink workspaceId={workspaceId} agentId={agent} onMade={edit} onClose={close} />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.settings.name}
          isTyped={false}
          remove={revoke}
          failure={failureOf(revoke.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
