import { TriangleAlert } from "lucide-react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import { type Failure, failureWords } from "./failure";
import styles from "./error-line.module.css";

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
