import type { ReactNode } from "react";
import styles from "./card-head.module.css";

type Props = {
  /** The link with the name; wants this class. */
  link: (className: string | undefined) => ReactNode;
  tile?: ReactNode;
  menu: ReactNode;
};

/** What a card is called and what can be done with it; the whole card leads where its name does. */
export function CardHead({ link, tile, menu }: Props) {
  return (
    <div className={styles.head}>
      {tile}
      {link(styles.name)}
      <div className={styles.menu}>{menu}</div>
    </div>
  );
}
