import { said, usePart } from "./part";
import type { Source } from "./turn";
import styles from "./written.module.css";

/** A text in Markdown; as it is until the reader for it is here. */
export function Written({ text, sources }: { text: string; sources: readonly Source[] }) {
  const Said = usePart(said);
  return Said ? <Said text={text} sources={sources} /> : <p className={styles.plain}>{text}</p>;
}
