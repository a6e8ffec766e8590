import { useMemo, useState } from "react";
import { asRecord, readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { TextArea } from "../../ui/text-field/text-area";
import { parse } from "../document/parse";
import { items, type Json } from "../document/read";
import rows from "../forms/rows.module.css";
import { type Field, fieldOf } from "../model/field";
import { canvasText } from "../text";
import type { Pending } from "./recorder";
import { type Draft, inputsFrom, RunForm } from "./run-form";
import styles from "./run-panel.module.css";

type Question =
  | { readonly kind: "text"; readonly words: string }
  | { readonly kind: "options"; readonly words: string; readonly options: readonly string[] }
  | { readonly kind: "form"; readonly fields: readonly Field[] };

/** What a run waits for: a text, one of several options, or a form. */
export function QuestionForm({
  pending,
  onAnswer,
}: {
  pending: Pending;
  onAnswer: (data: string) => Promise<void>;
}) {
  const text = useText(canvasText);
  const question = useMemo(() => questionOf(pending.data), [pending.data]);
  const [said, setSaid] = useState("");
  const [draft, setDraft] = useState<Draft>({});
  const [isSent, setSent] = useState(false);
  async function send(data: string): Promise<void> {
    setSent(true);
    await onAnswer(data);
    setSent(false);
  }
  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        const data =
          question.kind === "form" ? JSON.stringify(inputsFrom(question.fields, draft)) : said;
        void send(data);
      }}
    >
      <div className={rows.stack}>
        <span className={rows.hint}>{pending.title}</span>
        {question.kind !== "form" && <p className={styles.text}>{question.words}</p>}
        {question.kind === "options" && (
          <div className={rows.chips}>
            {question.options.map((option) => (
              <Button key={option} size="compact" onClick={() => void send(option)}>
                {option}
              </Button>
            ))}
          </div>
        )}
        {question.kind === "form" ? (
          <RunForm fields={question.fields} draft={draft} onChange={setDraft} />
        ) : (
          <TextArea label={text.run.answer} value={said} rows={2} onChange={setSaid} />
        )}
        <div>
          <Button type="submit" kind="primary" size="compact" isLoading={isSent}>
            {text.run.sendAnswer}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Reads the data of a question: a dialogue, options with a question, or a form. */
function questionOf(data: string): Question {
  const parsed = readJson(data);
  if (parsed === undefined) return { kind: "text", words: data };
  const form = asRecord(parsed);
  if (form["content_type"] === "form_schema" && typeof form["content"] === "string") {
    return { kind: "form", fields: fieldsOf(form["content"]) };
  }
  const messages = Array.isArray(form["messages"]) ? form["messages"] : [];
  const last = asRecord(
    messages.findLast((each: unknown) => asRecord(each)["type"] === "question"),
  );
  const content = last["content"] ?? form["content"];
  if (typeof content === "string") return { kind: "text", words: content };
  const asked = asRecord(content);
  const options = Array.isArray(asked["options"]) ? asked["options"] : [];
  const names = options.map((each: unknown) => String(asRecord(each)["name"] ?? ""));
  if (names.length > 0) {
    return { kind: "options", words: String(asked["question"] ?? ""), options: names };
  }
  return { kind: "text", words: data };
}

function fieldsOf(schema: Json): readonly Field[] {
  if (typeof schema !== "string") return [];
  try {
    return items(parse(schema).value).map(fieldOf);
  } catch {
    return [];
  }
}
