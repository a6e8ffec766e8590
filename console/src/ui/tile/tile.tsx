import type { ReactNode } from "react";
import { classes } from "../classes";
import styles from "./tile.module.css";

type Props = {
  name: string;
  /** Picture on the own origin; without one the first letter of the name, or a sign. */
  image?: string;
  icon?: ReactNode;
  isRound?: boolean;
  size?: "small" | "normal" | "large";
};

/** The face of a thing or a person; says nothing that the name beside it does not. */
export function Tile({ name, image, icon, isRound, size = "normal" }: Props) {
  const shape = classes(styles.tile, styles[size], isRound && styles.round);
  if (image) return <img src={image} alt="" loading="lazy" className={shape} />;
  return (
    <span aria-hidden="true" className={shape}>
      {icon ?? initial(name)}
    </span>
  );
}

const SEGMENTS = new Intl.Segmenter();

function initial(name: string): string {
  const [first] = SEGMENTS.segment(name.trim());
  return first ? first.segment.toLocaleUpperCase() : "";
}
