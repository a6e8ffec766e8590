import { lazy, Suspense } from "react";
import { onThisOrigin } from "../../../api/client";
import styles from "./slice-text.module.css";

/** Loaded with the first slice: what parses Markdown is large. */
const MarkdownText = lazy(async () => ({
  default: (await import("../../../chat/markdown/markdown")).MarkdownText,
}));
const IMAGE = /<img\b[^<>]*?src="([^"<>]*)"[^<>]*>/g;

/** What a slice says, as Markdown; pictures of its document stand where they stood. */
export function SliceText({ content }: { content: string }) {
  const parts = content.split(IMAGE);
  return (
    <div className={styles.text}>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <Suspense key={index} fallback={<p className={styles.plain}>{part.trim()}</p>}>
            {part.trim() && <MarkdownText text={part.trim()} />}
          </Suspense>
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
