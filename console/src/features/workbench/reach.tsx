import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { addressOf, embedOf } from "../../agent/share-address";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { CopyButton } from "../../ui/copy/copy-button";
import { Segmented } from "../../ui/segmented/segmented";
import { Command } from "../../ui/text-field/command";
import { type Call, callsOf } from "./calls";
import { useShareLinks } from "./queries";
import styles from "./reach.module.css";
import { workbenchText } from "./text";

type Props = { workspaceId: string; agentId: string };

/** How a published agent is reached: by programs, and by people. */
export function Reach({ workspaceId, agentId }: Props) {
  const mayShare = may(useWorkspace(workspaceId), "bot.publish");
  return (
    <div className={styles.reach}>
      <Calls workspaceId={workspaceId} agentId={agentId} />
      {mayShare && <ShareLinks workspaceId={workspaceId} agentId={agentId} />}
    </div>
  );
}

function Calls({ workspaceId, agentId }: Props) {
  const text = useText(workbenchText).reach;
  const calls = callsOf(location.origin, agentId);
  const [key, setKey] = useState("curl");
  const call = calls.find((each) => each.key === key);
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{text.calls}</h3>
        <Segmented
          label={text.language}
          value={key}
          options={calls.map((each) => ({ value: each.key, label: each.name }))}
          onChange={setKey}
        />
      </div>
      {call && <Code call={call} />}
      <p className={styles.note}>
        {text.token}{" "}
        <Link to="/w/$workspaceId/settings/{-$tab}" params={{ workspaceId, tab: "tokens" }}>
          {text.tokens}
        </Link>
      </p>
    </section>
  );
}

function Code({ call: { name, install, code } }: { call: Call }) {
  return (
    <div className={styles.call}>
      <div className={styles.bar}>
        <code>{install || name}</code>
        <CopyButton kind="quiet" value={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre tabIndex={0}>{code}</pre>
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
