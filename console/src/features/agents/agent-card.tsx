import { Link } from "@tanstack/react-router";
import { Activity, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { onThisOrigin } from "../../api/client";
import { useText } from "../../text/catalogue";
import { CardHead } from "../../ui/list/card-head";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { Tile } from "../../ui/tile/tile";
import styles from "./agent-card.module.css";
import type { Agent } from "./queries";
import { Team } from "./team";
import { agentsText } from "./text";

type Props = { agent: Agent; runs: number | undefined; menu: ReactNode };

/** An agent with what one looks for: what it is for, what answers, whether it is used. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AgentCard({ agent, runs, menu }: Props) {
  const text = useText(agentsText);
  return (
    <>
      <CardHead
        tile={<Tile name={agent.name} image={onThisOrigin(agent.icon_url)} />}
        link={(className) => (
          <Link
            to="/w/$workspaceId/agents/$agentId"
            params={{ workspaceId: agent.workspace_id, agentId: agent.id }}
            className={className}
            title={agent.name}
          >
            {agent.name}
          </Link>
        )}
        menu={menu}
      />
      <p className={styles.note}>{agent.description}</p>
      <div className={styles.facts}>
        {agent.mode === "workflow" ? (
          <span className={styles.fact}>{text.modes.workflow}</span>
        ) : (
          <span className={styles.fact} title={text.columns.model}>
            <Sparkles size={14} />
            <span className={styles.cut}>{agent.model_name || text.noModel}</span>
          </span>
        )}
        <Team agent={agent} />
      </div>
      <div className={styles.foot}>
        <ReleaseBadge
          isPublished={agent.is_published}
          isChanged={agent.has_unpublished_changes}
          version={agent.version}
        />
        {runs !== undefined && (
          <span className={styles.fact} title={text.runsWeek}>
            <Activity size={14} />
            {text.runs(runs)}
          </span>
        )}
      </div>
    </>
  );
}
