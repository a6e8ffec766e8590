import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { addressOf, embedOf } from "../../agent/share-address";
import { agentCalls } from "../../reach/calls";
import { FirstCalls } from "../../reach/first-calls";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Command } from "../../ui/text-field/command";
import { useShareLinks } from "./queries";
import styles from "./reach.module.css";
import { workbenchText } from "./text";

type Props = { workspaceId: string; agentId: string };

/** How a published agent is reached: by programs, and by people. */
export function Reach({ workspaceId, agentId }: Props) {
  const mayShare = may(useWorkspace(workspaceId), "bot.publish");
  return (
    <div className={styles.reach}>
      <FirstCalls workspaceId={workspaceId} calls={agentCalls(location.origin, agentId)} />
      {mayShare && <ShareLinks workspaceId={workspaceId} agentId={agentId} />}
    </div>
  );
}

function ShareLinks({ workspaceId, agentId }: Props) {
  const text = useText(workbenchText).reach;
  const links = useShareLinks(workspaceId, agentId);
  if (!links) return null;
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{text.people}</h3>
        <Link
          to="/w/$workspaceId/links"
          params={{ workspaceId }}
          search={{ agent: agentId }}
          className={styles.make}
        >
          <Plus size={14} />
          {text.makeLink}
        </Link>
      </div>
      {links.length === 0 && <p className={styles.note}>{text.noLink}</p>}
      {links.map((link) => (
        <div key={link.id} className={styles.link}>
          <p className={styles.name}>
            {link.settings.name}
            <Link to="/w/$workspaceId/links/$linkId" params={{ workspaceId, linkId: link.id }}>
              {text.editLink}
            </Link>
          </p>
          <Command command={addressOf(link)} />
          <Command command={embedOf(link)} />
        </div>
      ))}
    </section>
  );
}
