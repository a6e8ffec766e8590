import { classes } from "../../ui/classes";
import { maths, usePart } from "../part";
import styles from "./markdown.module.css";
import type { Formula as Facts } from "./notation";

/** A formula; its TeX until what draws it is here. */
export function Formula({ tex, isDisplay }: Facts) {
  const Maths = usePart(maths);
  const name = classes(styles.tex, isDisplay && styles.display);
  return Maths ? <Maths tex={tex} isDisplay={isDisplay} /> : <code className={name}>{tex}</code>;
}
