import { ImageOff } from "lucide-react";
import { onThisOrigin } from "../../../api/client";
import { useText } from "../../../text/catalogue";
import styles from "./picture.module.css";
import type { Image } from "./queries";
import { imageText } from "./text";

/** A picture as large as its place, or a sign where it has not been fetched. */
export function Picture({ image, isLarge }: { image: Image; isLarge?: boolean }) {
  const text = useText(imageText);
  if (!image.url)
    return (
      <span role="img" aria-label={text.noPicture} className={styles.none}>
        <ImageOff size={24} strokeWidth={1.5} />
      </span>
    );
  return (
    <img
      src={onThisOrigin(image.url)}
      alt={image.caption || image.document.name}
      loading="lazy"
      data-is-large={isLarge || undefined}
      className={styles.picture}
    />
  );
}
