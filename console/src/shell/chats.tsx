import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, unwrap } from "../api/client";
import { homeQuery } from "../directory/queries";
import { EntrySign } from "../directory/sign";
import type { Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Dialog } from "../ui/dialog/dialog";
import { NameCell } from "../ui/table/name-cell";
import { Tile } from "../ui/tile/tile";
import styles from "./chats.module.css";
import { chatsText } from "./chats-text";

const MOST = 8;

type Props = { workspace: Workspace; onClose: () => void };

/** The agents that a phone talks to: those opened last, then others of the workspace. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Chats({ workspace, onClose }: Props) {
  const text = useText(chatsText);
  const { id: workspaceId } = workspace;
  const home = useQuery(homeQuery(workspaceId)).data;
  const agents = useQuery({
    queryKey: ["admin.agents.list", workspaceId, "chats"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id: workspaceId }, query: { limit: String(MOST) } },
          signal,
        }),
      ),
  }).data;
  const last = home?.recent.filter(({ type }) => type === "agent") ?? [];
  const others = agents?.items.filter(({ id }) => last.every((each) => each.id !== id)) ?? [];
  const shown = home && agents ? [...last, ...others].slice(0, MOST) : [];
  return (
    <Dialog isOpen onClose={onClose} title={text.title} size="small" isForReading>
      <ul className={styles.agents}>
        {shown.map(({ id, name, description }) => (
          <li key={id}>
            <Link
              to="/w/$workspaceId/agents/$agentId"
              params={{ workspaceId, agentId: id }}
              search={{ tab: "try" }}
              onClick={onClose}
              className={styles.agent}
            >
              <NameCell
                tile={<Tile name={name} icon={<EntrySign type="agent" />} />}
                name={name}
                note={description ?? ""}
              />
            </Link>
          </li>
        ))}
      </ul>
      {home && agents && shown.length === 0 && <p className={styles.none}>{text.none}</p>}
      <Link
        to="/w/$workspaceId/agents"
        params={{ workspaceId }}
        onClick={onClose}
        className={styles.all}
      >
        {text.all}
      </Link>
    </Dialog>
  );
}
