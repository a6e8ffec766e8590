import { Fragment } from "react";
import { placesIn } from "./find";
import styles from "./marked-text.module.css";

/** A text with what is looked for marked in it; `at` is the hit one is at, counted in this text. */
export function MarkedText({ text, needle, at }: { text: string; needle: string; at: number }) {
  const places = placesIn(text, needle);
  if (places.length === 0) return text;
  const end = (places.at(-1) ?? 0) + needle.length;
  return (
    <>
      {places.map((place, index) => (
        <Fragment key={place}>
          {text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + needle.length, place)}
          <mark aria-current={index === at || undefined} className={styles.hit}>
            {text.slice(place, place + needle.length)}
          </mark>
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}
