import type { ApiError } from "../../api/errors";
import type { AdminAgent } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { useTold } from "../../ui/error-state/reasons";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import type { SaveState } from "./draft-keeper";
import { workbenchText } from "./text";
import styles from "./workbench.module.css";

type Props = { agent: AdminAgent; state: SaveState; failure: ApiError | undefined };

/** What is live, and whether the draft is saved; always in words. */
export function SaveLine({ agent, state, failure }: Props) {
  const text = useText(workbenchText);
  const told = useTold();
  const isBad = state === "retrying" || state === "refused" || state === "conflict";
  return (
    <span className={styles.states}>
      <span className={styles.live}>
        <ReleaseBadge
          isPublished={agent.live_version !== ""}
          isChanged={agent.has_unpublished_changes}
          version={agent.live_version}
        />
      </span>
      <span role="status" className={isBad ? styles.badState : undefined}>
        {text.save[state]}
        {state === "refused" && failure?.message
          ? text.because(told(failure.slug, failure.message))
          : ""}
      </span>
    </span>
  );
}
