import { useText } from "../../text/catalogue";
import { lineDifference, type Piece, wordDifference } from "../../text/difference";
import { Plain } from "../plain/plain";
import { uiText } from "../text";
import styles from "./difference.module.css";

/** Lines around a change that are shown with it. */
const AROUND = 2;
/** Longer texts are compared line by line first, and inside lines after that. */
const WORDS_UP_TO = 2000;

type Props = {
  label: string;
  left: string;
  right: string;
  /** Compares whole lines however short the text is, as code is read. */
  isByLine?: boolean;
};

/** How one text became another, in one column: what went is struck out, what came is marked. */
export function Difference({ label, left, right, isByLine = false }: Props) {
  const isShort = !isByLine && left.length + right.length <= WORDS_UP_TO;
  return (
    <section aria-label={label} className={styles.text}>
      {isShort ? <Words left={left} right={right} /> : <Lines left={left} right={right} />}
    </section>
  );
}

/** With less than this share in common, texts are shown one after the other. */
const LEAST_COMMON = 0.3;

function Words({ left, right }: { left: string; right: string }) {
  const pieces = wordDifference(left, right);
  const common = pieces.reduce(
    (sum, { kind, text }) => sum + (kind === "same" ? text.trim().length : 0),
    0,
  );
  const isOther = left && right && common < LEAST_COMMON * Math.max(left.length, right.length);
  const shown: readonly Piece[] = isOther
    ? [
        { kind: "left", text: left },
        { kind: "same", text: "\n" },
        { kind: "right", text: right },
      ]
    : pieces;
  return (
    <p className={styles.words}>
      {shown.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand in the order of the text
        <Marked key={index} piece={piece} />
      ))}
    </p>
  );
}

function Marked({ piece: { kind, text } }: { piece: Piece }) {
  const seen = <Plain text={text} />;
  if (kind === "left") return <del className={styles.left}>{seen}</del>;
  if (kind === "right") return <ins className={styles.right}>{seen}</ins>;
  return seen;
}

type Row = { piece: Piece; at: number } | { hidden: number; at: number };

function Lines({ left, right }: { left: string; right: string }) {
  const text = useText(uiText);
  return (
    <div className={styles.lines}>
      {rowsOf(lineDifference(left, right)).map((row) =>
        "hidden" in row ? (
          <span key={row.at} className={styles.hidden}>
            {text.unchangedLines(row.hidden)}
          </span>
        ) : (
          <span key={row.at} className={styles.line} data-kind={row.piece.kind}>
            <Marked piece={row.piece} />
          </span>
        ),
      )}
    </div>
  );
}

/** What is shown of all lines: changes and what stands around them. */
function rowsOf(pieces: readonly Piece[]): readonly Row[] {
  const near = new Set<number>();
  pieces.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let each = at - AROUND; each <= at + AROUND; each += 1) near.add(each);
  });
  const rows: Row[] = [];
  pieces.forEach((piece, at) => {
    if (near.has(at)) rows.push({ piece, at });
    else {
      const last = rows.at(-1);
      if (last && "hidden" in last) last.hidden += 1;
      else rows.push({ hidden: 1, at });
    }
  });
  return rows;
}
