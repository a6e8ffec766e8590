import { Fragment } from "react";
import styles from "./plain.module.css";

/**
 * Characters that are not seen, or turn around how others are read: a call or a change with them
 * could say something else than what it does.
 */
const UNSEEN = /([\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF])/u;

/** A text with what cannot be seen of it as chips that name the code point. */
export function Plain({ text }: { text: string }) {
  const pieces = text.split(UNSEEN);
  if (pieces.length === 1) return text;
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand in the order of the text
    <Fragment key={index}>
      {index % 2 === 1 ? <span className={styles.chip}>{codePointOf(piece)}</span> : piece}
    </Fragment>
  ));
}

/** The characters of a text that cannot be seen, by their code points, each once. */
export function unseenIn(text: string): readonly string[] {
  const found = text.split(UNSEEN).filter((_, index) => index % 2 === 1);
  return [...new Set(found.map(codePointOf))];
}

function codePointOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
