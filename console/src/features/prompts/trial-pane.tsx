import { useQuery } from "@tanstack/react-query";
import { SendHorizontal, Square } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { TrialAnswer } from "../../trial/answer";
import { useTrial } from "../../trial/trial";
import { Button } from "../../ui/button/button";
import { Select } from "../../ui/select/select";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { filledIn } from "./filled-in";
import { modelsQuery } from "./queries";
import { promptsText } from "./text";
import styles from "./trial-pane.module.css";

type Props = { workspaceId: string; prompt: string; variables: readonly string[] };

/** A prompt as it stands, sent to a model with a message, without any agent. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function TrialPane({ workspaceId, prompt, variables }: Props) {
  const { trial: text } = useText(promptsText);
  const { data: models } = useQuery(modelsQuery);
  const [chosen, setChosen] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [message, setMessage] = useState("");
  const { trial, ask, stop } = useTrial();
  const usable = models?.items ?? [];
  const model = usable.find((each) => each.id === chosen) ?? usable[0];
  const isAsking = trial?.state === "asking";
  const isReady = model !== undefined && message.trim() !== "" && prompt.trim() !== "";
  function submit(): void {
    if (!isReady || isAsking) return;
    void ask(model.id, {
      messages: [
        { role: "system", content: filledIn(prompt, values) },
        { role: "user", content: message },
      ],
      workspace_id: workspaceId,
    });
  }
  if (models && usable.length === 0) return <p className={styles.note}>{text.noModel}</p>;
  return (
    <section aria-label={text.title} className={styles.trial}>
      <Select
        label={text.model}
        value={model?.id}
        options={usable.map((each) => ({ value: each.id, label: each.display.name || each.id }))}
        onChange={setChosen}
      />
      {variables.map((name) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ""}
          onChange={(value) => setValues({ ...values, [name]: value })}
          autoComplete="off"
        />
      ))}
      <TextArea
        label={text.message}
        value={message}
        onChange={setMessage}
        isShort
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className={styles.bar}>
        <span className={styles.note}>{text.counted}</span>
        {isAsking ? (
          <Button icon={<Square size={16} />} onClick={stop}>
            {text.stop}
          </Button>
        ) : (
          <Button icon={<SendHorizontal size={16} />} disabled={!isReady} onClick={submit}>
            {text.verb}
          </Button>
        )}
      </div>
      {trial && (
        <div className={styles.answer}>
          <TrialAnswer trial={trial} />
        </div>
      )}
    </section>
  );
}
