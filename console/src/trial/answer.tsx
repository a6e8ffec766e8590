import { useText } from "../text/catalogue";
import { formatDuration, formatNumber } from "../text/formats";
import { ErrorLine } from "../ui/error-state/error-line";
import type { Failure } from "../ui/error-state/failure";
import styles from "./answer.module.css";
import { trialText } from "./text";
import type { Trial } from "./trial";

/** What a model said, with what it took. */
export function TrialAnswer({ trial }: { trial: Trial }) {
  const text = useText(trialText);
  const { facts, failure } = trial;
  return (
    <div className={styles.answer} aria-busy={trial.state === "asking"}>
      {trial.reasoning && (
        <details className={styles.reasoning}>
          <summary>{text.reasoning}</summary>
          <p className={styles.text}>{trial.reasoning}</p>
        </details>
      )}
      {trial.text && (
        <p className={styles.text} data-testid="trial-answer">
          {trial.text}
        </p>
      )}
      {trial.state === "asking" && !trial.text && <p className={styles.note}>{text.waiting}</p>}
      {trial.state === "stopped" && <p className={styles.note}>{text.stopped}</p>}
      {failure && <ErrorLine failure={told(failure)} />}
      {facts && (
        <p className={styles.facts} role="status">
          {facts.first_token_ms !== null && (
            <span>{text.firstToken(formatDuration(facts.first_token_ms))}</span>
          )}
          <span>{text.took(formatDuration(facts.duration_ms))}</span>
          <span>
            {text.tokens(
              formatNumber(facts.usage.input_tokens),
              formatNumber(facts.usage.output_tokens),
            )}
          </span>
          {facts.usage.estimated && <span>{text.estimated}</span>}
          {facts.finish_reason === "length" && <span>{text.cut}</span>}
        </p>
      )}
    </div>
  );
}

/** A provider's own words are worth more than that something is not reachable. */
function told(failure: NonNullable<Trial["failure"]>): Failure {
  return failure.message ? { message: failure.message, status: 400 } : failure;
}
