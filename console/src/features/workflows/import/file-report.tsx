import { CircleAlert, CircleCheck, FileJson, TriangleAlert } from "lucide-react";
import type { AdminReviewedCanvas } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { useTold } from "../../../ui/error-state/reasons";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import { workflowsText } from "../text";
import styles from "./import-dialog.module.css";
import type { Brought } from "./use-import";

const SHOWN = 8;

type Props = {
  file: File;
  review: AdminReviewedCanvas | undefined;
  /** Names of the files that it calls. */
  calls: readonly string[];
  brought: Brought | undefined;
  onOpen: (id: string) => void;
};

/** One file: what it would become, what the check says of it, and what came of the import. */
export function FileReport({ file, review, calls, brought, onOpen }: Props) {
  const text = useText(workflowsText);
  const id = brought?.report?.workflow.id;
  return (
    <li className={styles.file}>
      <FileJson size={16} className={styles.sign} />
      <div className={styles.words}>
        <span className={styles.name}>{review?.name || file.name}</span>
        {review ? (
          <span className={styles.small}>
            {[
              review.name && review.name !== file.name && file.name,
              !review.problem && text.report.nodes(review.nodes.length),
              calls.length > 0 && text.report.calls(calls.join(", ")),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        ) : (
          <Skeleton width="40%" height={12} />
        )}
        {review && <Findings review={review} />}
        {brought?.state === "running" && (
          <span className={styles.quiet}>{text.report.importing}</span>
        )}
        {brought?.version && (
          <span className={styles.small}>{text.report.published(brought.version)}</span>
        )}
        {brought?.failure && <ErrorLine failure={brought.failure} />}
      </div>
      {id && (
        <Button size="compact" onClick={() => onOpen(id)}>
          {text.open}
        </Button>
      )}
    </li>
  );
}

function Findings({ review }: { review: AdminReviewedCanvas }) {
  const text = useText(workflowsText);
  const said = useTold();
  if (review.problem) {
    return (
      <span className={styles.state} data-tone="bad">
        <CircleAlert size={14} />
        {said("canvas_unreadable", review.problem)}
      </span>
    );
  }
  const told = review.diagnostics.filter((each) => each.severity !== "info");
  const errors = told.filter((each) => each.severity === "error");
  const titles = new Map(review.nodes.map((node) => [node.id, node.title]));
  const warnings = told.length - errors.length;
  if (told.length === 0) {
    return (
      <span className={styles.state}>
        <CircleCheck size={14} />
        {text.report.clean}
      </span>
    );
  }
  const words = [
    errors.length > 0 && text.report.errors(errors.length),
    warnings > 0 && text.report.warnings(warnings),
    review.unknown_nodes.length > 0 && text.report.unknown(review.unknown_nodes.length),
  ];
  return (
    <details className={styles.report}>
      <summary className={styles.state} data-tone={errors.length > 0 ? "bad" : "warn"}>
        {errors.length > 0 ? <CircleAlert size={14} /> : <TriangleAlert size={14} />}
        {words.filter(Boolean).join(" · ")}
      </summary>
      <ul className={styles.findings}>
        {[...errors, ...told.filter((each) => each.severity !== "error")]
          .slice(0, SHOWN)
          .map((each) => (
            <li key={`${each.code} ${each.json_pointer} ${each.message}`} data-tone={each.severity}>
              {titles.get(each.node_id) && (
                <span className={styles.where}>{titles.get(each.node_id)}</span>
              )}
              {said(each.code, each.message)}
            </li>
          ))}
        {told.length > SHOWN && <li>{text.report.more(told.length - SHOWN)}</li>}
      </ul>
    </details>
  );
}
