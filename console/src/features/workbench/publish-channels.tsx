import { Link } from "@tanstack/react-router";
import type { AdminConnector } from "../../api/schema";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Ago } from "../../ui/time/ago";
import { MessageChannels } from "./message-channels";
import styles from "./publish-dialog.module.css";
import { EDITOR, useShareLinks } from "./queries";
import { workbenchText } from "./text";

/** Where message channels ask: the web, else programs. */
const ASKED = ["999", "1024"];

type Props = {
  workspaceId: string;
  agentId: string;
  connectors: readonly AdminConnector[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** Where the version will answer, and what answers there today. */
export function PublishChannels({ workspaceId, agentId, connectors, chosen, onChange }: Props) {
  const text = useText(workbenchText).publishing;
  const links = useShareLinks(workspaceId, agentId, may(useWorkspace(workspaceId), "bot.publish"));
  return (
    <fieldset className={styles.channels}>
      <legend>{text.channels}</legend>
      {connectors
        .filter(({ id, allowed }) => allowed && id !== EDITOR)
        .map(({ id, name, bound, last_publish_time: since }) => (
          <div key={id} className={styles.channel}>
            <Checkbox
              label={name}
              isChecked={chosen.has(id)}
              onChange={(isChosen) => {
                const next = new Set(chosen);
                if (isChosen) next.add(id);
                else next.delete(id);
                onChange(next);
              }}
            />
            <span className={styles.state}>
              {bound && since ? (
                <>
                  {text.answersSince} <Ago at={since} />
                </>
              ) : (
                text.notThere
              )}
            </span>
          </div>
        ))}
      {links && links.length > 0 && (
        <p className={styles.state}>
          {text.links(links.length)}{" "}
          <Link to="/w/$workspaceId/links" params={{ workspaceId }} className={styles.way}>
            {text.showLinks}
          </Link>
        </p>
      )}
      <MessageChannels
        workspaceId={workspaceId}
        agentId={agentId}
        isReached={ASKED.some((id) => chosen.has(id))}
      />
    </fieldset>
  );
}
