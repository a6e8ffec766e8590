import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./error-line.module.css";
import { type Failure, useFailureWords } from "./failure";
import type { Labels } from "./labels";
import { Sentences } from "./server-words";

type Props = {
  failure: Failure;
  /** What the form around calls its fields, by their names on the wire. */
  labels?: Labels;
};

/** What failed, in one line at the action that failed. */
export function ErrorLine({ failure, labels }: Props) {
  const words = useFailureWords(failure);
  return (
    <ErrorWords>
      {words.title}
      {words.why && (
        <span className={styles.why}>
          {" "}
          <Sentences said={words.why} labels={labels} />
        </span>
      )}
    </ErrorWords>
  );
}

/** The same line for what the page itself found, in its own words. */
export function ErrorWords({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={styles.line}>
      <TriangleAlert size={14} />
      <span>{children}</span>
    </p>
  );
}
