import { ChevronRight, Plus, X } from "lucide-react";
import strategy from "../../../retrieval/strategy-form.module.css";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { TextArea } from "../../../ui/text-field/text-area";
import type { Said } from "./queries";
import styles from "./said-before.module.css";
import { testText } from "./text";

const MOST = 10;

type Props = { said: readonly Said[]; onChange: (said: readonly Said[]) => void };

/** A conversation before the question: the user and the agent in turn. */
export function SaidBefore({ said, onChange }: Props) {
  const { said: text } = useText(testText);
  const next = said.at(-1)?.role === "user" ? "assistant" : "user";
  return (
    <details className={strategy.more}>
      <summary className={strategy.summary}>
        <ChevronRight size={14} className={strategy.fold} />
        {text.title}
      </summary>
      <div className={styles.messages}>
        <p className={styles.why}>{text.why}</p>
        {said.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place in the talk
          <div key={index} className={styles.message}>
            <TextArea
              label={each.role === "user" ? text.user : text.assistant}
              value={each.content}
              rows={2}
              maxLength={4000}
              onChange={(content) =>
                onChange(said.map((one, at) => (at === index ? { ...one, content } : one)))
              }
            />
            <IconButton
              size="compact"
              label={text.remove(index + 1)}
              icon={<X size={14} />}
              onClick={() => onChange(said.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        <div>
          <Button
            size="compact"
            icon={<Plus size={14} />}
            disabled={said.length >= MOST}
            onClick={() => onChange([...said, { role: next, content: "" }])}
          >
            {text.add}
          </Button>
        </div>
      </div>
    </details>
  );
}
