import { CircleHelp } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Checkbox } from "../ui/checkbox/checkbox";
import { TextField } from "../ui/text-field/text-field";
import { type Asked, type AskedField, linesOf } from "./asked";
import { chatText } from "./text";
import type { Text } from "./text.en";
import styles from "./waiting.module.css";

type Props = { asked: Asked; onAsk: (answer: string) => void };

/** What answers a question besides words: one of several options, a form, access given elsewhere. */
export function QuestionCard({ asked, onAsk }: Props) {
  const text = useText(chatText);
  const title = useId();
  return (
    <section aria-labelledby={title} className={styles.card}>
      <p id={title} className={styles.title}>
        <CircleHelp size={16} />
        {asked.url ? text.accessNeeded : text.waitsForYou}
      </p>
      <p className={styles.why}>
        {asked.url ? text.accessWhy : asked.fields.length > 0 ? text.formWhy : text.optionsWhy}
      </p>
      {asked.options.length > 0 && (
        <div className={styles.options}>
          {asked.options.map((option, index) => (
            <Button key={option} autoFocus={index === 0} onClick={() => onAsk(option)}>
              {option}
            </Button>
          ))}
        </div>
      )}
      {asked.fields.length > 0 && <Fields fields={asked.fields} onAsk={onAsk} />}
      {asked.url && <Access url={asked.url} onAsk={onAsk} />}
    </section>
  );
}

/** What numbers look like, by the types that want one. */
const PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ["integer", /^[-+]?\d+$/],
  ["float", /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i],
]);

/** What is wrong with a value, if anything is. */
function wrong({ type, isRequired }: AskedField, value: string, text: Text): string | undefined {
  if (type === "boolean") return undefined;
  if (!value) return isRequired ? text.fillIn : undefined;
  if (PATTERNS.get(type)?.test(value) ?? true) return undefined;
  return type === "integer" ? text.wholeNumber : text.number;
}

function Fields({ fields, onAsk }: { fields: readonly AskedField[]; onAsk: Props["onAsk"] }) {
  const text = useText(chatText);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const set = (name: string, value: string) => setValues((old) => ({ ...old, [name]: value }));
  const wrongIn = (field: AskedField) => wrong(field, values[field.name]?.trim() ?? "", text);
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (!fields.some(wrongIn)) onAsk(linesOf(fields, values));
  }
  return (
    <form noValidate className={styles.fields} onSubmit={send}>
      {fields.map((field, index) =>
        field.type === "boolean" ? (
          <Checkbox
            key={field.name}
            label={field.hint || field.name}
            isChecked={values[field.name] === "true"}
            onChange={(isOn) => set(field.name, String(isOn))}
          />
        ) : (
          <TextField
            key={field.name}
            label={field.name}
            value={values[field.name] ?? ""}
            onChange={(value) => set(field.name, value)}
            required={field.isRequired}
            hint={field.hint}
            error={isTried ? wrongIn(field) : undefined}
            inputMode={PATTERNS.has(field.type) ? "decimal" : "text"}
            autoComplete="off"
            autoFocus={index === 0}
          />
        ),
      )}
      <div className={styles.actions}>
        <Button kind="primary" type="submit">
          {text.send}
        </Button>
      </div>
    </form>
  );
}

/** Access is given in a window of its own; whoever comes back from there goes on. */
function Access({ url, onAsk }: { url: string; onAsk: Props["onAsk"] }) {
  const text = useText(chatText);
  const [isOpened, setOpened] = useState(false);
  if (!/^https?:/.test(url)) return null;
  return (
    <div className={styles.actions}>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className={styles.connect}
        onClick={() => setOpened(true)}
      >
        {text.connect(new URL(url).host)}
      </a>
      <Button disabled={!isOpened} onClick={() => onAsk(text.connected)}>
        {text.goOn}
      </Button>
    </div>
  );
}
