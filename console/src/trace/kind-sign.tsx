import {
  Blocks,
  BookOpenText,
  Bot,
  Box,
  BrainCircuit,
  CircleDot,
  Combine,
  Globe,
  ListFilter,
  type LucideIcon,
  Repeat,
  Search,
  Settings2,
  SquareFunction,
  Workflow,
  Wrench,
} from "lucide-react";
import { classes } from "../ui/classes";
import styles from "./kind-sign.module.css";

const SIGNS: Readonly<Record<string, { icon: LucideIcon; tone: string | undefined }>> = {
  agent: { icon: Bot, tone: styles.person },
  step: { icon: Repeat, tone: styles.plain },
  prepare: { icon: Settings2, tone: styles.plain },
  model: { icon: Box, tone: styles.model },
  embedding: { icon: Combine, tone: styles.model },
  rerank: { icon: ListFilter, tone: styles.model },
  retrieval: { icon: BookOpenText, tone: styles.knowledge },
  query_rewrite: { icon: SquareFunction, tone: styles.knowledge },
  channel: { icon: Search, tone: styles.knowledge },
  fusion: { icon: Combine, tone: styles.knowledge },
  tool: { icon: Wrench, tone: styles.outside },
  workflow: { icon: Workflow, tone: styles.logic },
  node: { icon: Blocks, tone: styles.logic },
  memory: { icon: BrainCircuit, tone: styles.database },
  http: { icon: Globe, tone: styles.outside },
};

/** The colour of a kind of step, for its sign and its bar. */
export function toneOf(kind: string): string | undefined {
  return (SIGNS[kind] ?? { tone: styles.plain }).tone;
}

/** What kind of step it is, beside its name, which says more. */
export function KindSign({ kind }: { kind: string }) {
  const Icon = SIGNS[kind]?.icon ?? CircleDot;
  return (
    <span aria-hidden="true" className={classes(styles.sign, toneOf(kind))}>
      <Icon size={12} strokeWidth={2} />
    </span>
  );
}
