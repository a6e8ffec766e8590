import { useText } from "../../text/catalogue";
import { Tile } from "../../ui/tile/tile";
import type { Agent } from "./queries";
import styles from "./team.module.css";
import { agentsText } from "./text";

const MOST_FACES = 4;

/** The faces of those an agent works with; their names for those who ask. */
export function Team({ agent }: { agent: Agent }) {
  const text = useText(agentsText);
  if (agent.members.length === 0) return null;
  const names = text.team(agent.members.map((each) => each.name));
  const more = agent.members.length - MOST_FACES;
  return (
    <span role="img" aria-label={names} title={names} className={styles.team}>
      {agent.members.slice(0, MOST_FACES).map((each) => (
        <Tile key={each.id} name={each.name} size="small" isRound />
      ))}
      {more > 0 && <span className={styles.more}>{`+${more}`}</span>}
    </span>
  );
}
