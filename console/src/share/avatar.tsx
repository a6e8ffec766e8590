import styles from "./avatar.module.css";
import type { SharePage } from "./page";

/** The picture of whoever answers, or the first letter of the name. */
export function Avatar({ link, isLarge }: { link: SharePage["link"]; isLarge?: boolean }) {
  const [first = ""] = link.name;
  return (
    <span aria-hidden="true" className={isLarge ? styles.large : styles.avatar}>
      {link.iconUrl ? <img src={link.iconUrl} alt="" /> : first.toUpperCase()}
    </span>
  );
}
