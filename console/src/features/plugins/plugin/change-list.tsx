import type { ToolChange } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import styles from "./forms.module.css";
import { pluginText } from "./text";

/** What becomes of the tools of the draft. */
export function ChangeList({ changes }: { changes: readonly ToolChange[] }) {
  const { versions: text } = useText(pluginText);
  const words: Readonly<Record<string, string>> = text.changes;
  if (changes.length === 0) return <p className={styles.note}>{text.noChanges}</p>;
  return (
    <ul className={styles.changes}>
      {changes.map((each) => (
        <li key={each.tool_id} className={styles.change}>
          {each.name}
          <span className={styles.note}>{words[each.change] ?? each.change}</span>
        </li>
      ))}
    </ul>
  );
}
