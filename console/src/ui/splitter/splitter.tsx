import { Fragment, type ReactNode, useRef } from "react";
import { Resizer } from "./resizer";
import styles from "./splitter.module.css";

export type Pane = {
  key: string;
  /** Names the pane to whoever moves the line at its end. */
  label: string;
  /** Share of the width; all together are 100. */
  share: number;
  /** Least share that it keeps. */
  least: number;
  content: ReactNode;
};

type Props = {
  panes: readonly Pane[];
  onChange: (shares: readonly number[]) => void;
  onReset: () => void;
};

/** Panes beside each other, of which a person decides how wide they are. */
export function Splitter({ panes, onChange, onReset }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const perPixel = () => 100 / (frame.current?.clientWidth || 100);
  function move(index: number, share: number): void {
    const shares = panes.map((pane) => pane.share);
    const both = (shares[index] ?? 0) + (shares[index + 1] ?? 0);
    shares[index] = share;
    shares[index + 1] = both - share;
    onChange(shares);
  }
  return (
    <div
      ref={frame}
      className={styles.panes}
      style={{
        gridTemplateColumns: panes.map(({ share }) => `minmax(0, ${share}fr)`).join(" auto "),
      }}
    >
      {panes.map((pane, index) => {
        const next = panes[index + 1];
        return (
          <Fragment key={pane.key}>
            <section aria-label={pane.label} className={styles.pane}>
              {pane.content}
            </section>
            {next && (
              <Resizer
                label={pane.label}
                value={pane.share}
                min={pane.least}
                max={pane.share + next.share - next.least}
                step={2}
                perPixel={perPixel}
                onChange={(share) => move(index, share)}
                onReset={onReset}
              />
            )}
          </Fragment>
        );
      })}
    </div>
  );
}
