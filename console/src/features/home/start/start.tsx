import { Check, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { Host, TaughtAgent } from "../../../agent/teach";
import type { AdminHome } from "../../../api/schema";
import { useSession } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { homeText } from "../text";
import { KnowledgeStep } from "./knowledge-step";
import { ModelStep } from "./model-step";
import { useFirstAgent, useRealModel } from "./queries";
import { QuestionStep } from "./question-step";
import styles from "./start.module.css";

type Step = "model" | "knowledge" | "question";
const STEPS: readonly Step[] = ["model", "knowledge", "question"];

type Props = { workspaceId: string; counts: AdminHome["counts"]; onDone: () => void };

/** From an empty workspace to the first answer; what is there already is ticked. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Start({ workspaceId, counts, onDone }: Props) {
  const text = useText(homeText).start;
  const title = useId();
  const { user } = useSession();
  const { data: model } = useRealModel();
  const { data: first } = useFirstAgent(workspaceId);
  const [taught, setTaught] = useState<TaughtAgent>();
  const [hasSample, setSample] = useState(false);
  const [passed, setPassed] = useState<ReadonlySet<Step>>(new Set());
  const [opened, setOpened] = useState<Step>();
  if (model === undefined || first === undefined) return null;
  const agent = taught ?? first;
  const host: Host = {
    id: agent?.id,
    name: agent?.name ?? text.host.name,
    persona: text.host.persona,
  };
  const ticks: Readonly<Record<Step, boolean>> = {
    model: Boolean(model),
    knowledge: taught !== undefined || (first?.knowledge.datasets.length ?? 0) > 0,
    question: counts.runs > 0,
  };
  const ownModel = model && text.model.ready(model.display.name);
  const modelNote = ownModel ?? (passed.has("model") ? text.model.builtIn : text.model.why);
  const current = opened ?? STEPS.find((step) => !ticks[step] && !passed.has(step)) ?? "question";
  function pass(step: Step): void {
    setPassed(new Set([...passed, step]));
    setOpened(undefined);
  }
  return (
    <section aria-labelledby={title} className={styles.start}>
      <header className={styles.head}>
        <h2 id={title} className={styles.title}>
          {text.title}
        </h2>
        <IconButton
          size="compact"
          label={text.close}
          icon={<X size={16} strokeWidth={1.5} />}
          onClick={onDone}
        />
      </header>
      <ol className={styles.steps}>
        <Part
          number={1}
          title={text.model.title}
          note={modelNote}
          isDone={ticks.model}
          isOpen={current === "model"}
          onOpen={() => setOpened("model")}
        >
          {user.is_admin ? (
            <ModelStep onBegin={() => setOpened("model")} onDone={() => pass("model")} />
          ) : (
            <p className={styles.note}>{text.model.forAdmins}</p>
          )}
        </Part>
        <Part
          number={2}
          title={text.knowledge.title}
          note={ticks.knowledge ? text.knowledge.ready(host.name) : text.knowledge.why(host.name)}
          isDone={ticks.knowledge}
          isOpen={current === "knowledge"}
          onOpen={() => setOpened("knowledge")}
        >
          <KnowledgeStep
            workspaceId={workspaceId}
            host={host}
            onBegin={() => setOpened("knowledge")}
            onTaught={(chosen, isSample) => {
              setTaught(chosen);
              setSample(isSample);
              pass("knowledge");
            }}
            onSkip={() => pass("knowledge")}
          />
        </Part>
        <Part
          number={3}
          title={text.question.title}
          note={text.question.why}
          isDone={ticks.question}
          isOpen={current === "question"}
          onOpen={() => setOpened("question")}
        >
          <QuestionStep
            workspaceId={workspaceId}
            host={host}
            suggestions={hasSample ? text.question.ofSample : text.question.ofAll}
          />
        </Part>
      </ol>
    </section>
  );
}

type PartProps = {
  number: number;
  title: string;
  note: string;
  isDone: boolean;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
};

function Part({ number, title, note, isDone, isOpen, onOpen, children }: PartProps) {
  const text = useText(homeText).start;
  return (
    <li className={styles.step} data-open={isOpen || undefined}>
      <button type="button" aria-expanded={isOpen} className={styles.bar} onClick={onOpen}>
        <span className={styles.mark} data-done={isDone || undefined}>
          {isDone ? (
            <Check size={14} strokeWidth={2.5} aria-label={text.done} role="img" />
          ) : (
            number
          )}
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{title}</span>
          <span className={styles.note}>{note}</span>
        </span>
      </button>
      {isOpen && <div className={styles.content}>{children}</div>}
    </li>
  );
}
