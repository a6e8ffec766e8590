import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Host } from "../../../agent/teach";
import { failureOf } from "../../../api/list";
import { Suggestions } from "../../../chat/suggestions";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { TextArea } from "../../../ui/text-field/text-area";
import { homeText } from "../text";
import { useFirstQuestion } from "./queries";
import styles from "./start.module.css";

type Props = { workspaceId: string; host: Host; suggestions: readonly string[] };

/** The first question; its answer comes about in the workbench, step by step. */
export function QuestionStep({ workspaceId, host, suggestions }: Props) {
  const text = useText(homeText).start.question;
  const navigate = useNavigate();
  const [question, setQuestion] = useState("");
  const { mutate, isPending, error } = useFirstQuestion(workspaceId);
  function ask(asked: string): void {
    if (isPending || !asked.trim()) return;
    mutate(
      { host, question: asked.trim() },
      {
        onSuccess: ({ agentId, chat }) =>
          void navigate({
            to: "/w/$workspaceId/agents/$agentId",
            params: { workspaceId, agentId },
            search: { chat, tab: "try" },
          }),
      },
    );
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    ask(question);
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <Suggestions label={text.suggestions} questions={suggestions} onAsk={ask} />
      <TextArea label={text.label} value={question} onChange={setQuestion} isShort />
      {error && <ErrorLine failure={failureOf(error) ?? error} labels={{ content: text.label }} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isLoading={isPending} disabled={!question.trim()}>
          {text.ask(host.name)}
        </Button>
      </div>
    </form>
  );
}
