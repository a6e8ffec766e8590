import { ChevronRight } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useRef } from "react";
import { useText } from "../../text/catalogue";
import styles from "./section.module.css";
import { workbenchText } from "./text";

const PARTS = [
  "persona",
  "model",
  "tools",
  "knowledge",
  "memory",
  "variables",
  "opening",
  "shortcuts",
  "team",
  "boundaries",
] as const;
export type Part = (typeof PARTS)[number];

/** What fields of the agent a part has, where they are called otherwise. */
const FIELDS: Readonly<Record<string, Part>> = {
  prompt: "persona",
  plugins: "tools",
  workflows: "tools",
  client_tools: "tools",
  workflow_agent: "tools",
  onboarding: "opening",
  suggest_reply: "opening",
  agents: "team",
  router: "team",
  link_hosts: "boundaries",
  egress_hosts: "boundaries",
};

/** The part that shows a field, as the server names it: `knowledge.datasets`. */
export function partOf(field: string): Part | undefined {
  const [name = ""] = field.split(/[.[]/);
  return FIELDS[name] ?? PARTS.find((part) => part === name);
}

/** What the page calls a field: its part, and what of it. */
export function useFieldName(): (path: string) => string {
  const text = useText(workbenchText);
  return (path) => {
    const part = partOf(path);
    if (!part) return path;
    if (part === "persona") return text.persona;
    const [, field] = path.split(".");
    return [text[part].title, field].filter(Boolean).join(" · ");
  };
}

/** The part that somebody was led to; a new object each time. */
export const Shown = createContext<{ part: Part } | undefined>(undefined);

type Props = {
  part: Part;
  title: string;
  state: ReactNode;
  isOpen?: boolean;
  /** Somebody looks into it. */
  onOpen?: () => void;
  children: ReactNode;
};

/** A part of the abilities; folded, it says its state in one line. */
export function Section({ part, title, state, isOpen, onOpen, children }: Props) {
  const shown = use(Shown);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (shown?.part !== part || !details.current) return;
    details.current.open = true;
    details.current.scrollIntoView({ block: "start" });
    details.current.querySelector("summary")?.focus();
  }, [shown, part]);
  return (
    <details
      ref={details}
      className={styles.section}
      open={isOpen}
      onToggle={(event) => event.currentTarget.open && onOpen?.()}
    >
      <summary className={styles.head}>
        <ChevronRight size={14} className={styles.fold} />
        <h3 className={styles.title}>{title}</h3>
        <span className={styles.state}>{state}</span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
