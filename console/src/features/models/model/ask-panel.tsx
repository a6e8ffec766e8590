import { SendHorizontal, Square } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { TrialBody } from "../../../api/schema";
import { lastWorkspace } from "../../../session/local";
import { useText } from "../../../text/catalogue";
import { TrialAnswer } from "../../../trial/answer";
import { trialPath, useTrial } from "../../../trial/trial";
import { Button } from "../../../ui/button/button";
import { TextArea } from "../../../ui/text-field/text-area";
import type { Model } from "../queries";
import styles from "./model-screen.module.css";
import { modelText } from "./text";

/** One message to the model as it is stored. */
export function AskPanel({ model, isChanged }: { model: Model; isChanged: boolean }) {
  const { ask: text } = useText(modelText);
  const [message, setMessage] = useState("");
  const { trial, ask, stop } = useTrial();
  const isAsking = trial?.state === "asking";
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!message.trim() || isAsking) return;
    const workspace = lastWorkspace.read();
    const body: TrialBody = {
      messages: [{ role: "user", content: message }],
      ...(workspace ? { workspace_id: workspace } : {}),
    };
    void ask(trialPath(model.id), body);
  }
  return (
    <form aria-label={text.title} className={styles.part} onSubmit={submit}>
      <h2 className={styles.title}>{text.title}</h2>
      <TextArea
        label={text.label}
        isLabelHidden
        value={message}
        placeholder={text.placeholder}
        onChange={setMessage}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
        }}
        isShort
      />
      <div className={styles.bar}>
        <span className={styles.note}>{isChanged ? text.asStored : text.counted}</span>
        {isAsking ? (
          <Button icon={<Square size={16} />} onClick={stop}>
            {text.stop}
          </Button>
        ) : (
          <Button type="submit" icon={<SendHorizontal size={16} />} disabled={!message.trim()}>
            {text.verb}
          </Button>
        )}
      </div>
      {trial && (
        <div className={styles.answer}>
          <TrialAnswer trial={trial} />
        </div>
      )}
    </form>
  );
}
