import type { CSSProperties, MouseEvent } from "react";
import { useText } from "../../../text/catalogue";
import { boundsOn, boxesOf, type Placed, sliceAt } from "./boxes";
import type { Area, PageHit } from "./find";
import styles from "./page-sheet.module.css";
import type { DocumentPage } from "./queries";
import { documentText } from "./text";

type Props = {
  page: DocumentPage;
  height: number;
  source: string;
  slices: readonly Placed[];
  chosen: Placed | undefined;
  /** All slices are shown with their numbers, not the chosen one alone. */
  areBounded: boolean;
  hits: readonly PageHit[];
  hit: PageHit | undefined;
  /** What searches know nothing of; empty where nobody asked. */
  uncovered: readonly Area[];
  onChoose: (slice: Placed) => void;
};

/** A page with what is marked on it; a click chooses the slice at its place. */
export function PageSheet(props: Props) {
  const { page, height, source, slices, chosen, areBounded, hits, hit, uncovered, onChoose } =
    props;
  const text = useText(documentText);
  const { number } = page;
  function choose(event: MouseEvent<HTMLButtonElement>): void {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - frame.left) / frame.width;
    const y = (event.clientY - frame.top) / frame.height;
    const next = sliceAt(slices, number, [x, y], chosen?.id);
    if (next) onChoose(next);
  }
  return (
    <div className={styles.sheet} style={{ height }}>
      <img src={source} alt={text.page(number)} loading="lazy" className={styles.image} />
      {uncovered.map((area) => (
        <span
          key={area.join(" ")}
          data-uncovered=""
          className={styles.uncovered}
          style={placed(area)}
        />
      ))}
      {areBounded && <Bounds page={number} slices={slices} />}
      {boxesOf(chosen)
        .filter((box) => box.page === number)
        .map((box) => (
          <span
            key={`${box.left} ${box.top}`}
            data-outline=""
            className={styles.outline}
            style={placed([box.left, box.top, box.right, box.bottom])}
          />
        ))}
      {hits.flatMap((each) =>
        each.areas.map((area) => (
          <span
            key={area.join(" ")}
            data-hit={each === hit ? "current" : ""}
            className={styles.hit}
            style={placed(area)}
          />
        )),
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={text.choosePage(number)}
        className={styles.choose}
        onClick={choose}
      />
    </div>
  );
}

/** Where slices begin and end on a page; those that share a block share its numbers. */
function Bounds({ page, slices }: { page: number; slices: readonly Placed[] }) {
  return boundsOn(page, slices).map(({ area, isOdd, starting }) => (
    <span
      key={area.join(" ")}
      data-bound={isOdd ? "odd" : "even"}
      className={styles.bound}
      style={placed(area)}
    >
      {starting.length > 0 && (
        <span className={styles.number}>{[...new Set(endsOf(starting))].join("–")}</span>
      )}
    </span>
  ));
}

function endsOf(numbers: readonly number[]): number[] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function placed([left, top, right, bottom]: Area): CSSProperties {
  return {
    left: `${left * 100}%`,
    top: `${top * 100}%`,
    width: `${(right - left) * 100}%`,
    height: `${(bottom - top) * 100}%`,
  };
}
