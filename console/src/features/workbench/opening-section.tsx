import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Select } from "../../ui/select/select";
import { TextArea } from "../../ui/text-field/text-area";
import type { Draft, Edits } from "./edits";
import { moved } from "./moved";
import styles from "./opening-section.module.css";
import { Section } from "./section";
import { Suggestion } from "./suggestion";
import { workbenchText } from "./text";

type Props = {
  draft: Draft;
  onEdit: (edits: Edits) => void;
  /** Waits until what was edited is what the draft is. */
  saved: () => Promise<void>;
};

/** By their numbers. */
const FOLLOW_UPS = ["on", "own", "off"] as const;
const MOST_QUESTIONS = 10;
const SIGNS = /^[-*•\d.)\s]+/;

/** What people read first, and what they are offered after an answer. */
export function OpeningSection({ draft, onEdit, saved }: Props) {
  const text = useText(workbenchText).opening;
  const { onboarding, suggest_reply: after } = draft;
  const questions = onboarding.suggested_questions ?? [];
  const followUps = FOLLOW_UPS[Number(after.mode ?? 0)] ?? "on";
  const ask = (suggested_questions: string[]) => onEdit({ onboarding: { suggested_questions } });
  return (
    <Section part="opening" title={text.title} state={onboarding.prologue ? text.set : text.none}>
      <TextArea
        label={text.welcome}
        isShort
        value={onboarding.prologue ?? ""}
        onChange={(prologue) => onEdit({ onboarding: { prologue } })}
      />
      <Suggestion
        agentId={draft.id}
        kind="prologue"
        text={onboarding.prologue ?? ""}
        label={text.suggestWelcome}
        saved={saved}
        onTake={(prologue) => onEdit({ onboarding: { prologue } })}
      />
      <fieldset className={styles.questions}>
        <legend>{text.questions}</legend>
        {questions.map((question, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: it changes while it is typed
          <div key={at} className={styles.question}>
            <input
              aria-label={text.questionAt(at + 1)}
              className={styles.input}
              value={question}
              onChange={({ target }) =>
                ask(questions.map((each, index) => (index === at ? target.value : each)))
              }
            />
            <IconButton
              size="compact"
              label={text.up(question)}
              icon={<ArrowUp size={14} />}
              disabled={at === 0}
              onClick={() => ask(moved(questions, at, -1))}
            />
            <IconButton
              size="compact"
              label={text.down(question)}
              icon={<ArrowDown size={14} />}
              disabled={at === questions.length - 1}
              onClick={() => ask(moved(questions, at, 1))}
            />
            <IconButton
              size="compact"
              label={text.remove(question)}
              icon={<X size={14} />}
              onClick={() => ask(questions.filter((_, index) => index !== at))}
            />
          </div>
        ))}
        {questions.length < MOST_QUESTIONS && (
          <div>
            <Button
              size="compact"
              icon={<Plus size={14} />}
              onClick={() => ask([...questions, text.newQuestion])}
            >
              {text.addQuestion}
            </Button>
          </div>
        )}
      </fieldset>
      <Suggestion
        agentId={draft.id}
        kind="questions"
        text={questions.join("\n")}
        label={text.suggestQuestions}
        saved={saved}
        onTake={(words) => ask(linesOf(words))}
      />
      <Select
        label={text.followUps}
        hint={text.followUpsHint}
        value={followUps}
        options={FOLLOW_UPS.map((value) => ({ value, label: text.followUpModes[value] }))}
        onChange={(next) => onEdit({ suggest_reply: { mode: FOLLOW_UPS.indexOf(next) } })}
      />
      {followUps === "own" && (
        <TextArea
          label={text.ownPrompt}
          hint={text.ownPromptHint}
          isShort
          value={after.customized_prompt ?? ""}
          onChange={(customized_prompt) => onEdit({ suggest_reply: { customized_prompt } })}
        />
      )}
    </Section>
  );
}

/** One question on each line, without the signs that models like to set before them. */
function linesOf(words: string): string[] {
  return words
    .split("\n")
    .map((line) => line.replace(SIGNS, "").trim())
    .filter(Boolean)
    .slice(0, MOST_QUESTIONS);
}
