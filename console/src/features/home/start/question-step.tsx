import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { TextArea } from "../../../ui/text-field/text-area";
import { homeText } from "../text";
import { type Chosen, useFirstQuestion } from "./queries";
import styles from "./start.module.css";

type Props = { workspaceId: string; agent: Chosen | undefined };

/** The first question; its answer comes about in the workbench, step by step. */
export function QuestionStep({ workspaceId, agent }: Props) {
  const text = useText(homeText).start.question;
  const navigate = useNavigate();
  const [question, setQuestion] = useState(text.first);
  const { mutate, isPending, error } = useFirstQuestion();
  if (!agent) return <p className={styles.note}>{text.needsAgent}</p>;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!agent || !question.trim()) return;
    mutate(
      { agentId: agent.id, question: question.trim() },
      {
        onSuccess: (begun) =>
          void navigate({
            to: "/w/$workspaceId/agents/$agentId",
            params: { workspaceId, agentId: agent.id },
            search: { chat: begun.conversation_id, tab: "try" },
          }),
      },
    );
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextArea label={text.label} value={question} onChange={setQuestion} isShort />
      {error && <ErrorLine failure={failureOf(error) ?? error} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isLoading={isPending} disabled={!question.trim()}>
          {text.ask(agent.name)}
        </Button>
      </div>
    </form>
  );
}
