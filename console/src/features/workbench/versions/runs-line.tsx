import { Link } from "@tanstack/react-router";
import type { AdminTraceFigures } from "../../../api/schema";
import { formatPercent } from "../../../text/amounts";
import { useText } from "../../../text/catalogue";
import { versionsText } from "./text";
import styles from "./versions.module.css";

type Props = {
  workspaceId: string;
  agentId: string;
  version: string;
  /** Nothing where nobody may know. */
  figures: AdminTraceFigures | undefined;
};

/** How much a version was used in the last seven days, and how often it failed; leads to its runs. */
export function RunsLine({ workspaceId, agentId, version, figures }: Props) {
  const text = useText(versionsText);
  if (!figures) return null;
  const { runs, errors } = figures;
  if (runs === 0) return <p className={styles.facts}>{text.noRuns}</p>;
  return (
    <p className={styles.facts}>
      <Link
        to="/w/$workspaceId/runs"
        params={{ workspaceId }}
        search={{ agent: agentId, version, time: "7d" }}
        className={styles.runs}
      >
        {text.runs(runs)}
      </Link>
      {" · "}
      {errors === 0 ? (
        text.noErrors
      ) : (
        <span className={styles.errors}>{text.errors(formatPercent(errors / runs))}</span>
      )}
    </p>
  );
}
