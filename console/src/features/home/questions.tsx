import { useQuery } from "@tanstack/react-query";
import { failureOf } from "../../api/list";
import { QuestionForm } from "../../canvas/run/question-form";
import { recordedRun } from "../../canvas/run/recorder";
import { ErrorLine } from "../../ui/error-state/error-line";
import { questionsQuery, useReply, type Waiting } from "./queries";

type Props = { waiting: Waiting; workflowRunId: string };

/** What a workflow asks, with the form or the options that it wants for an answer. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Questions({ waiting, workflowRunId }: Props) {
  const { data: run } = useQuery(questionsQuery(workflowRunId));
  const { mutateAsync, error } = useReply();
  const failure = failureOf(error);
  return (
    <>
      {run &&
        recordedRun(run).pending.map((pending) => (
          <QuestionForm
            key={pending.id}
            pending={pending}
            onAnswer={async (reply) => {
              await mutateAsync({ waiting, questionId: pending.id, reply }).catch(() => undefined);
            }}
          />
        ))}
      {failure && <ErrorLine failure={failure} />}
    </>
  );
}
