import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { traceQuery } from "../../trace/queries";
import { RunState } from "../../trace/run-state";
import { type Look, TraceBody } from "../../trace/trace-body";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { ErrorState } from "../../ui/error-state/error-state";
import { workbenchText } from "./text";
import styles from "./workbench.module.css";

type Props = {
  workspaceId: string;
  runId: string;
  /** What it lies over. */
  within: HTMLElement | null;
  /** Share of the width of it, in percent; nothing: all of it. */
  share: number | undefined;
  onClose: () => void;
};

/** A trace is written when its run has ended: somebody may look a moment earlier. */
const TRIES = 8;
const TRY_MS = 500;

/** How an answer came about, over the parts that made it so. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AnswerDetails({ workspaceId, runId, within, share, onClose }: Props) {
  const text = useText(workbenchText).details;
  const [look, setLook] = useState<Look>({});
  const { data, error, refetch } = useQuery({
    ...traceQuery(runId),
    retry: TRIES,
    retryDelay: TRY_MS,
  });
  const failure = failureOf(error);
  return (
    <SideSheet
      isOpen
      within={within}
      share={share}
      title={text.title}
      onClose={onClose}
      actions={
        <>
          {data && <RunState status={data.trace.status} />}
          <Link
            to="/w/$workspaceId/runs/$runId"
            params={{ workspaceId, runId }}
            className={styles.way}
          >
            {text.open}
          </Link>
        </>
      }
    >
      {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      {!failure && !data && <p className={styles.waiting}>{text.waiting}</p>}
      {data && <TraceBody trace={data.trace} spans={data.spans} look={look} onLook={setLook} />}
    </SideSheet>
  );
}
