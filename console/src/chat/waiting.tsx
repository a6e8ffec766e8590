import { ShieldQuestion, TerminalSquare } from "lucide-react";
import { useId, useState } from "react";
import { readRecord } from "../json/json";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { ErrorLine } from "../ui/error-state/error-line";
import { Plain, unseenIn } from "../ui/plain/plain";
import { TextArea } from "../ui/text-field/text-area";
import { QuestionCard } from "./question-card";
import { chatText } from "./text";
import type { Call, Turn } from "./turn";
import styles from "./waiting.module.css";

type Output = { id: string; output: string };
type Props = {
  turn: Turn;
  /** Whether a person decides on a call; else the client makes it, and gives its result. */
  isConsent: (call: Call) => boolean;
  /** Whether the arguments may be changed before a call is allowed. */
  mayEdit: boolean;
  onSubmit: (outputs: readonly Output[]) => Promise<void>;
  /** Answers a question in words: the next message of the conversation. */
  onAsk: (answer: string) => void;
};

/** What a run waits for, with all that is needed to let it go on. */
export function WaitingCards({ turn, isConsent, mayEdit, onSubmit, onAsk }: Props) {
  const text = useText(chatText);
  const calls = turn.waiting?.calls ?? [];
  const [given, setGiven] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<Error>();
  const [isPending, setPending] = useState(false);
  const asked = turn.waiting?.asked;
  if (calls.length === 0)
    return asked ? (
      <QuestionCard asked={asked} onAsk={onAsk} />
    ) : (
      <p className={styles.question}>{text.waitsForYou}</p>
    );
  /** Everything is handed in at once, as soon as nothing is missing. */
  async function give(id: string, output: string): Promise<void> {
    const next = new Map(given).set(id, output);
    setGiven(next);
    if (next.size < calls.length) return;
    setPending(true);
    setFailure(undefined);
    try {
      await onSubmit([...next].map(([each, value]) => ({ id: each, output: value })));
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
      setGiven(new Map());
    } finally {
      setPending(false);
    }
  }
  return (
    <>
      {calls
        .filter((call) => !given.has(call.id))
        .map((call) =>
          isConsent(call) ? (
            <ConsentCard
              key={call.id}
              call={call}
              mayEdit={mayEdit}
              isPending={isPending}
              onGive={(output) => void give(call.id, output)}
            />
          ) : (
            <OutputCard
              key={call.id}
              call={call}
              isPending={isPending}
              onGive={(output) => void give(call.id, output)}
            />
          ),
        )}
      {failure && <ErrorLine failure={failure} />}
    </>
  );
}

type CardProps = { call: Call; isPending: boolean; onGive: (output: string) => void };

function ConsentCard(props: CardProps & { mayEdit: boolean }) {
  const { call, mayEdit, isPending, onGive } = props;
  const text = useText(chatText);
  const title = useId();
  const first = pretty(call.input);
  const [input, setInput] = useState(first);
  const read = argumentsIn(input);
  const unseen = unseenIn(input);
  function allow(): void {
    if (read === undefined) return;
    onGive(JSON.stringify({ approved: true, ...(input === first ? {} : { arguments: read }) }));
  }
  return (
    <section aria-labelledby={title} className={styles.card}>
      <p id={title} className={styles.title}>
        <ShieldQuestion size={16} />
        <Plain text={text.consentTitle(call.name)} />
      </p>
      <p className={styles.why}>{mayEdit ? text.consentWhy : text.consentVisitor}</p>
      {mayEdit ? (
        <TextArea
          label={text.arguments}
          value={input}
          onChange={setInput}
          error={read === undefined ? text.noJson : undefined}
          isCode
          isShort
          spellCheck={false}
        />
      ) : (
        call.input && (
          <pre className={styles.code}>
            <Plain text={first} />
          </pre>
        )
      )}
      {mayEdit && unseen.length > 0 && (
        <p role="status" className={styles.unseen}>
          {text.unseen(unseen)}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          kind="primary"
          disabled={read === undefined}
          isLoading={isPending}
          onClick={allow}
          autoFocus
        >
          {text.allow}
        </Button>
        <Button disabled={isPending} onClick={() => onGive(JSON.stringify({ approved: false }))}>
          {text.refuse}
        </Button>
      </div>
    </section>
  );
}

function OutputCard({ call, isPending, onGive }: CardProps) {
  const text = useText(chatText);
  const title = useId();
  const [output, setOutput] = useState("");
  return (
    <section aria-labelledby={title} className={styles.card}>
      <p id={title} className={styles.title}>
        <TerminalSquare size={16} />
        {text.outputTitle(call.name)}
      </p>
      <p className={styles.why}>{text.outputWhy}</p>
      <pre className={styles.code}>{pretty(call.input)}</pre>
      <TextArea
        label={text.outputLabel}
        value={output}
        onChange={setOutput}
        isCode
        isShort
        spellCheck={false}
      />
      <div className={styles.actions}>
        <Button kind="primary" isLoading={isPending} onClick={() => onGive(output)}>
          {text.handIn}
        </Button>
      </div>
    </section>
  );
}

function pretty(json: string): string {
  const read = argumentsIn(json);
  return read === undefined ? json : JSON.stringify(read, null, 2);
}

/** The arguments of a call; some that have none are written as nothing. */
function argumentsIn(json: string): object | undefined {
  return readRecord(json || "{}");
}
