import { CircleCheck, CircleMinus } from "lucide-react";
import { useText } from "../../text/catalogue";
import { at, items, numberOf } from "../document/read";
import type { Value } from "../document/tree";
import type { Placed } from "../model/graph";
import { SELECTOR } from "../model/kind";
import { portMeant, portsOf } from "../model/port";
import { canvasText } from "../text";
import styles from "./branch-result.module.css";
import type { NodeResult } from "./recorder";

const BRANCHES = ["data", "inputs", "branches"];
const OR = 1;
/** Longer values are told by their begin. */
const SHOWN_CHARS = 40;

type Props = { node: Placed; result: NodeResult };

/** Which way a condition took, and the values that it compared to get there. */
export function BranchResult({ node, result }: Props) {
  const text = useText(canvasText);
  const taken = portMeant(node, result.port);
  const ways = portsOf(node).outputs.filter((each) => each.kind !== "error");
  const end = ways.findIndex((each) => each.id === taken);
  if (node.type !== SELECTOR || !result.port || end < 0) return null;
  const branches = items(at(node.value, BRANCHES));
  return (
    <ol className={styles.ways} aria-label={text.run.branch.title}>
      {ways.slice(0, end + 1).map((way, index) => {
        const isTaken = index === end;
        const heading =
          way.kind === "other"
            ? text.card.otherwise
            : index === 0
              ? text.selector.first
              : text.selector.next(index + 1);
        return (
          <li key={way.id} className={styles.way} data-taken={isTaken || undefined}>
            {isTaken ? <CircleCheck size={14} /> : <CircleMinus size={14} />}
            <span className={styles.heading}>{heading}</span>
            <span className={styles.words}>
              {way.kind === "branch" && (
                <Compared branch={branches[index]} index={index} input={result.input} />
              )}
            </span>
            <span className={styles.state}>
              {isTaken ? text.run.branch.taken : text.run.branch.missed}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

type ComparedProps = { branch: Value | undefined; index: number; input: unknown };

/** The conditions of a branch with the values that they met in place of their sources. */
function Compared({ branch, index, input }: ComparedProps) {
  const text = useText(canvasText);
  const values: Readonly<Record<string, unknown>> = Object(input);
  const join =
    numberOf(at(branch, ["condition", "logic"])) === OR ? text.run.branch.or : text.run.branch.and;
  const said = (value: unknown): string => {
    if (value === undefined || value === null || value === "") return text.run.branch.empty;
    const words = JSON.stringify(value);
    return words.length > SHOWN_CHARS ? `${words.slice(0, SHOWN_CHARS)}…` : words;
  };
  return items(at(branch, ["condition", "conditions"]))
    .map((each, place) => {
      const left = said(values[`$left.${index}.${place}`]);
      const operator = text.operators[numberOf(at(each, ["operator"])) ?? 0] ?? "?";
      const right = at(each, ["right"]) ? said(values[`$right.${index}.${place}`]) : "";
      return [left, operator, right].filter(Boolean).join(" ");
    })
    .join(` ${join} `);
}
