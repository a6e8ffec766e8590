import styles from "./suggestions.module.css";

type Props = { label: string; questions: readonly string[]; onAsk: (text: string) => void };

/** Questions to be asked with one press. */
export function Suggestions({ label, questions, onAsk }: Props) {
  return (
    <ul aria-label={label} className={styles.list}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" className={styles.one} onClick={() => onAsk(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
