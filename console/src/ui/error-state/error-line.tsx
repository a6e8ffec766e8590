import { TriangleAlert } from "lucide-react";
import styles from "./error-line.module.css";
import { type Failure, useFailureWords } from "./failure";

/** What failed, in one line at the action that failed. */
export function ErrorLine({ failure }: { failure: Failure }) {
  const words = useFailureWords(failure);
  return (
    <p role="alert" className={styles.line}>
      <TriangleAlert size={14} />
      <span>
        {words.title}
        {words.why && <span className={styles.why}> {words.why}</span>}
      </span>
    </p>
  );
}
