import { CircleCheck, CircleDashed, CircleOff, CircleX, LoaderCircle } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { useTold } from "../../../ui/error-state/reasons";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import styles from "./document-state.module.css";
import type { Document, Progress } from "./queries";
import { baseText } from "./text";

const WAITING = -1;
const DISABLED = 2;
const IN_WORK = 4;
const FAILED = 9;

type Props = { document: Document; progress: Progress | undefined };

/** What becomes of a document: its state, while it is read how far it is. */
export function DocumentState({ document, progress }: Props) {
  const { documents: text } = useText(baseText);
  const told = useTold();
  const status = progress?.status ?? document.status;
  if (status === IN_WORK || (progress && progress.percent > 0)) {
    const percent = progress?.percent ?? 0;
    const left = progress?.remaining_s ? text.left(progress.remaining_s) : undefined;
    return (
      <span className={styles.work} title={left}>
        <StateBadge tone="run" icon={<LoaderCircle size={14} />}>
          {text.working(percent)}
        </StateBadge>
        <progress max={100} value={percent} aria-label={document.name} className={styles.bar} />
      </span>
    );
  }
  if (status === WAITING)
    return (
      <StateBadge tone="run" icon={<CircleDashed size={14} />}>
        {text.states.waiting}
      </StateBadge>
    );
  if (status === FAILED || document.fail_code !== 0)
    return (
      <span title={told(document.fail_code, document.fail_reason)}>
        <StateBadge tone="bad" icon={<CircleX size={14} />}>
          {text.states.failed}
        </StateBadge>
      </span>
    );
  if (status === DISABLED || !document.enabled)
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {text.states.off}
      </StateBadge>
    );
  return (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {text.states.ready}
    </StateBadge>
  );
}
