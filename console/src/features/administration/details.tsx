import { useText } from "../../text/catalogue";
import { formatExact } from "../../text/formats";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { Facts } from "../../ui/facts/facts";
import styles from "./administration.module.css";
import type { AuditRow } from "./queries";
import { administrationText } from "./text";

type Props = { row: AuditRow; actor: string | undefined; onClose: () => void };

/** One row of the audit log: who, through what, and field by field what it was and is. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Details({ row, actor, onClose }: Props) {
  const { audit: text } = useText(administrationText);
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [text.columns.at, formatExact(row.at)],
    [text.columns.actor, row.actor_id === "0" ? text.system : (actor ?? row.actor_id)],
    [text.columns.resource, [row.resource_name, row.resource].filter(Boolean).join(" · ")],
    [text.address, row.address],
    [text.token, row.token_id],
    [text.session, row.session_id],
    [text.logId, row.log_id],
    [text.position, row.position === null ? null : String(row.position)],
    [text.digest, row.digest],
  ];
  const changes = Object.entries(row.changes);
  return (
    <SideSheet isOpen onClose={onClose} size="wide" title={row.action}>
      <div className={styles.sheet}>
        <Facts facts={facts} />
        <h3 className={styles.title}>{text.changes}</h3>
        {changes.length === 0 ? (
          <p className={styles.note}>{text.unchanged}</p>
        ) : (
          <table className={styles.changes}>
            <thead>
              <tr>
                <th scope="col">{text.field}</th>
                <th scope="col">{text.before}</th>
                <th scope="col">{text.after}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(([field, change]) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td className={styles.before}>{shown(change, "before")}</td>
                  <td className={styles.after}>{shown(change, "after")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </SideSheet>
  );
}

/** One side of a change, as it was recorded; nothing for what was not there. */
function shown(change: unknown, side: "before" | "after"): string {
  if (typeof change !== "object" || change === null) return "";
  const value: unknown = Object.entries(change).find(([key]) => key === side)?.[1];
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
