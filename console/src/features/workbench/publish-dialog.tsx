import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { Finding } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { CopyButton } from "../../ui/copy/copy-button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { TextArea } from "../../ui/text-field/text-area";
import styles from "./publish-dialog.module.css";
import { checkAgent, publishAgent } from "./queries";
import { workbenchText } from "./text";

type Props = {
  agentId: string;
  /** Waits until what was edited is what will be published. */
  saved: () => Promise<void>;
  onPublished: () => void;
  onClose: () => void;
};

/** Checks the draft, publishes it, and shows how it is called. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PublishDialog({ agentId, saved, onPublished, onClose }: Props) {
  const text = useText(workbenchText).publishing;
  const [note, setNote] = useState("");
  const check = useQuery({
    queryKey: ["admin.agents.validate", agentId],
    queryFn: async () => {
      await saved();
      return checkAgent(agentId);
    },
    staleTime: 0,
    gcTime: 0,
  });
  const publish = useMutation({
    mutationFn: () => publishAgent(agentId, note.trim()),
    onSuccess: onPublished,
  });
  const findings = check.data?.items ?? [];
  const errors = findings.filter((each) => each.severity === "error");
  const failure = failureOf(publish.error ?? check.error);
  if (publish.data) {
    return (
      <Dialog
        isOpen
        size="wide"
        onClose={onClose}
        title={text.done(publish.data.version)}
        actions={
          <Button kind="primary" onClick={onClose}>
            {text.close}
          </Button>
        }
      >
        <Calls agentId={agentId} title={text.call} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            disabled={check.isPending || errors.length > 0}
            isLoading={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {text.verb}
          </Button>
        </>
      }
    >
      {check.isPending && <p className={styles.quiet}>{text.checking}</p>}
      {check.data && findings.length === 0 && <p className={styles.quiet}>{text.fine}</p>}
      <Findings title={text.errors} findings={errors} isError />
      <Findings
        title={text.warnings}
        findings={findings.filter((each) => each.severity !== "error")}
      />
      <TextArea label={text.note} isShort value={note} onChange={setNote} maxLength={800} />
      {failure && <ErrorLine failure={failure} />}
    </Dialog>
  );
}

type FindingsProps = { title: string; findings: readonly Finding[]; isError?: boolean };

function Findings({ title, findings, isError }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <section className={isError ? styles.errors : styles.warnings}>
      <h3 className={styles.title}>
        {isError ? <CircleAlert size={14} /> : <TriangleAlert size={14} />}
        {title}
      </h3>
      <ul>
        {findings.map((each) => (
          <li key={`${each.field} ${each.message}`}>{each.message}</li>
        ))}
      </ul>
    </section>
  );
}

function Calls({ agentId, title }: { agentId: string; title: string }) {
  const calls = [
    {
      name: "curl",
      code: `curl ${location.origin}/v1/chat/completions \\
  -H "Authorization: Bearer $COTERIE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${agentId}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
    {
      name: "Python",
      code: `import os
from cozepy import Coze, Message, TokenAuth

coze = Coze(auth=TokenAuth(os.environ["COTERIE_TOKEN"]), base_url="${location.origin}")
for event in coze.chat.stream(
    bot_id="${agentId}",
    user_id="me",
    additional_messages=[Message.build_user_question_text("Hello")],
):
    if event.message:
        print(event.message.content, end="")`,
    },
    {
      name: "OpenAI (TypeScript)",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  apiKey: process.env.COTERIE_TOKEN,
  baseURL: "${location.origin}/v1",
});
const answer = await client.chat.completions.create({
  model: "${agentId}",
  messages: [{ role: "user", content: "Hello" }],
});`,
    },
  ];
  return (
    <section className={styles.calls}>
      <h3>{title}</h3>
      {calls.map(({ name, code }) => (
        <div key={name} className={styles.call}>
          <div className={styles.bar}>
            <span>{name}</span>
            <CopyButton kind="quiet" value={code} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
          <pre tabIndex={0}>{code}</pre>
        </div>
      ))}
    </section>
  );
}
