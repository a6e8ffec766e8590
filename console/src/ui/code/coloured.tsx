import { coloured, languageOf } from "./colours";
import styles from "./colours.module.css";

/** More is shown in one colour: each piece is an element. */
const MOST_CHARS = 40_000;

/** Code in the colours of its language. */
export function Coloured({ code, language }: { code: string; language: string }) {
  const known = languageOf(language);
  if (!known || code.length > MOST_CHARS) return code;
  return coloured(code, known).map(({ text, shade }, index) =>
    shade ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one code keep their places
      <span key={index} className={styles[shade]}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}
