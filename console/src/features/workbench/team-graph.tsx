import { Bot } from "lucide-react";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import styles from "./team.module.css";
import type { Member } from "./team-section";
import { workbenchText } from "./text";

type Props = {
  name: string;
  members: readonly Member[];
  chosen: string | undefined;
  onChoose: (agentId: string | undefined) => void;
};

const ROW_PX = 52;
const WAY_PX = 40;

/** The agent, and a line to each of those that it works with. */
export function TeamGraph({ name, members, chosen, onChoose }: Props) {
  const text = useText(workbenchText).team;
  const height = members.length * ROW_PX;
  return (
    <div className={styles.graph}>
      <span className={styles.self}>
        <Bot size={16} strokeWidth={1.5} />
        {name}
      </span>
      <svg width={WAY_PX} height={height} aria-hidden="true" className={styles.ways}>
        {members.map((each, row) => {
          const y = (row + 0.5) * ROW_PX;
          const middle = WAY_PX / 2;
          return (
            <path
              key={each.agent_id}
              data-kind={each.kind}
              d={`M0 ${height / 2} C ${middle} ${height / 2}, ${middle} ${y}, ${WAY_PX} ${y}`}
            />
          );
        })}
      </svg>
      <ul className={styles.members} aria-label={text.members}>
        {members.map(({ agent_id: id, agent_name: agent, name: called, kind = "delegate" }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === chosen}
              className={classes(styles.member, id === chosen && styles.chosen)}
              onClick={() => onChoose(id === chosen ? undefined : String(id))}
            >
              <span className={styles.memberName}>{agent || called || id}</span>
              <span className={styles.kind}>{text.kinds[kind]}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
