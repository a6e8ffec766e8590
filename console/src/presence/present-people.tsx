import { useMemberNames } from "../api/members";
import { useText } from "../text/catalogue";
import { formatNames } from "../text/formats";
import { Popover } from "../ui/popover/popover";
import { Tile } from "../ui/tile/tile";
import { Ago } from "../ui/time/ago";
import styles from "./present-people.module.css";
import { presenceText } from "./text";
import { usePresent } from "./use-present";

/** So many faces have room in a header. */
const FACES = 3;

type Props = { workspaceId: string; type: "agent" | "workflow"; id: string };

/** The initials of others who have the same open, and since when on a closer look. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PresentPeople({ workspaceId, type, id }: Props) {
  const text = useText(presenceText);
  const present = usePresent(type, id);
  const nameOf = useMemberNames(workspaceId);
  const people = present.map(({ user_id, since }) => ({
    id: user_id,
    name: nameOf(user_id) || text.somebody,
    since,
  }));
  const names = people.map(({ name }) => name);
  if (people.length === 0) return null;
  return (
    <Popover
      label={text.title}
      align="end"
      isOnHover
      trigger={
        <button type="button" className={styles.faces} aria-label={text.here(formatNames(names))}>
          {people.slice(0, FACES).map((each) => (
            <span key={each.id} className={styles.face}>
              <Tile name={each.name} isRound />
            </span>
          ))}
          {people.length > FACES && (
            <span className={styles.more}>{text.more(people.length - FACES)}</span>
          )}
        </button>
      }
    >
      <p className={styles.title}>{text.title}</p>
      <ul className={styles.people}>
        {people.map((each) => (
          <li key={each.id} className={styles.person}>
            <Tile name={each.name} isRound />
            <span className={styles.name}>{each.name}</span>
            <span className={styles.since}>
              <Ago at={each.since} />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{text.why}</p>
    </Popover>
  );
}
