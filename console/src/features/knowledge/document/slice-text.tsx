import { onThisOrigin } from "../../../api/client";
import styles from "./slice-text.module.css";

const IMAGE = /<img\b[^<>]*?src="([^"<>]*)"[^<>]*>/g;

/** What a slice says; pictures of its document stand where they stood. */
export function SliceText({ content }: { content: string }) {
  const parts = content.split(IMAGE);
  return (
    <div className={styles.text}>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <p key={index}>{part.trim()}</p>
        ) : (
          part && (
            <img
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
              key={index}
              src={onThisOrigin(part)}
              alt=""
              loading="lazy"
              className={styles.image}
            />
          )
        ),
      )}
    </div>
  );
}
