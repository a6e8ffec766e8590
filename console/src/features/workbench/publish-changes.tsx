import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { AdminAgent } from "../../api/schema";
import { useText } from "../../text/catalogue";
import styles from "./publish-dialog.module.css";
import { workbenchText } from "./text";
import { ChangeLine } from "./versions/changes";
import { comparisonOf } from "./versions/comparison";
import { DRAFT, useContent, useNames } from "./versions/queries";
import { versionsText } from "./versions/text";

/** So few are shown at once; with more of them each section opens on its own. */
const AT_ONCE = 2;

/** What clients will notice: how the draft differs from what answers today. */
export function PublishChanges({ draft }: { draft: AdminAgent }) {
  const text = useText(workbenchText).publishing;
  const { sections: titles } = useText(versionsText);
  const { id, workspace_id: workspaceId, live_version: live } = draft;
  const { data: before } = useContent(id, live);
  const names = useNames(workspaceId, id);
  const sections = useMemo(
    () => before && comparisonOf(before, draft, names, false),
    [before, draft, names],
  );
  if (!live) return <p className={styles.quiet}>{text.first}</p>;
  if (!sections) return null;
  if (sections.length === 0) return <p className={styles.quiet}>{text.same}</p>;
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{text.changes}</h3>
        <Link
          to="/w/$workspaceId/agents/$agentId/versions"
          params={{ workspaceId, agentId: id }}
          search={{ a: live, b: DRAFT }}
          className={styles.way}
        >
          {text.compare}
        </Link>
      </div>
      {sections.map(({ name, changes }) => (
        <details key={name} open={sections.length <= AT_ONCE} className={styles.changed}>
          <summary>
            <ChevronRight size={14} className={styles.fold} />
            <span className={styles.section}>{titles[name]}</span>
            <span className={styles.count}>{text.changed(changes.length)}</span>
          </summary>
          <div className={styles.lines}>
            {changes.map((change) => (
              <ChangeLine key={change.key} change={change} />
            ))}
          </div>
        </details>
      ))}
    </section>
  );
}
