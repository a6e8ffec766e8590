import { TriangleAlert } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { CopyButton } from "../copy/copy-button";
import { findRequest } from "../page/page-request";
import { uiText } from "../text";
import styles from "./error-state.module.css";
import { type Failure, useFailureWords } from "./failure";
import { Sentences } from "./server-words";

type Props = { failure: Failure; onRetry?: () => void };

/** What failed, in the place where it would stand, with a way on. */
export function ErrorState({ failure, onRetry }: Props) {
  const text = useText(uiText);
  const words = useFailureWords(failure);
  return (
    <div role="alert" className={styles.state}>
      <h2 className={styles.title}>
        <TriangleAlert size={16} />
        {words.title}
      </h2>
      {words.why && (
        <p className={styles.why}>
          <Sentences said={words.why} />
        </p>
      )}
      <div className={styles.actions}>
        {failure.status === 404 ? (
          <WaysOn />
        ) : (
          onRetry && <Button onClick={onRetry}>{text.retry}</Button>
        )}
        <CopyButton kind="quiet" label={text.copyDetails} value={words.details} />
      </div>
      {failure.logId && <p className={styles.log}>{text.logId(failure.logId)}</p>}
    </div>
  );
}

/** From what is not there, to ask again for it leads nowhere. */
function WaysOn() {
  const text = useText(uiText);
  return (
    <>
      <Button onClick={() => history.back()}>{text.back}</Button>
      {findRequest.isOffered && <Button onClick={() => findRequest.ask("")}>{text.find}</Button>}
    </>
  );
}
