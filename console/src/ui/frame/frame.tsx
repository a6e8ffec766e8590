import styles from "./frame.module.css";

type Props = { title: string; src: string };

/** HTML that is not ours, from an address of its own: nothing in it runs, and it has no origin. */
export function Frame({ title, src }: Props) {
  return <iframe sandbox="" title={title} src={src} className={styles.frame} />;
}
