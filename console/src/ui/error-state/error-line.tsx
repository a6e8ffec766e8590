import { TriangleAlert } from "lucide-react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./error-line.module.css";
import { type Failure, failureWords } from "./failure";

/** What failed, in one line at the action that failed. */
export function ErrorLine({ failure }: { failure: Failure }) {
  const words = failureWords(failure, useText(uiText));
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
