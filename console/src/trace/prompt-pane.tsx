import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { useText } from "../text/catalogue";
import { CopyButton } from "../ui/copy/copy-button";
import { JsonView } from "../ui/json-view/json-view";
import { Segmented } from "../ui/segmented/segmented";
import { traceBodyText } from "./body-text";
import type { Span } from "./layout";
import styles from "./panes.module.css";
import {
  curlOf,
  type Message,
  type Part,
  type Prompt,
  promptOf,
  pythonOf,
  sameBeginning,
  sharesOf,
  textOf,
} from "./prompt";
import { Value } from "./value";

type Props = { span: Span; body: string; before: Span | undefined };

/** What a model was sent: the messages as cards, or the body to the byte. */
export function PromptPane({ span, body, before }: Props) {
  const text = useText(traceBodyText);
  const [form, setForm] = useState<"cards" | "json">("cards");
  const prompt = useMemo(() => promptOf(body), [body]);
  const previous = useMemo(() => before?.input && promptOf(before.input), [before]);
  const same = prompt && previous ? sameBeginning(prompt, previous) : 0;
  return (
    <>
      <div className={styles.bar}>
        {prompt && (
          <Segmented
            label={text.promptAs}
            value={form}
            options={[
              { value: "cards", label: text.cards },
              { value: "json", label: text.json },
            ]}
            onChange={setForm}
          />
        )}
        <span className={styles.end}>
          <CopyButton kind="quiet" label={text.copyJson} value={body} />
          <CopyButton
            kind="quiet"
            label={text.curl}
            value={curlOf(body, textOf(span.attributes["provider"]), span.name)}
          />
          <CopyButton
            kind="quiet"
            label={text.python}
            value={pythonOf(body, textOf(span.attributes["provider"]), span.name)}
          />
        </span>
      </div>
      {prompt && form === "cards" ? (
        <Cards prompt={prompt} same={same} />
      ) : (
        <Value label={text.panes.prompt} value={body} />
      )}
    </>
  );
}

/** Few messages are not worth folding. */
const FOLDED_FROM = 2;

function Cards({ prompt, same }: { prompt: Prompt; same: number }) {
  const text = useText(traceBodyText);
  const folded = same >= FOLDED_FROM ? same : 0;
  return (
    <>
      <Shares prompt={prompt} />
      {folded > 0 && (
        <Fold label={text.same(folded)}>
          <Messages messages={prompt.messages.slice(0, folded)} />
        </Fold>
      )}
      <Messages messages={prompt.messages.slice(folded)} />
      {prompt.tools.length > 0 && (
        <Fold label={text.offered(prompt.tools.length)}>
          <ul className={styles.cards}>
            {prompt.tools.map((tool) => (
              <li key={tool.name} className={styles.card}>
                <b className={styles.role}>{tool.name}</b>
                {tool.description && <p className={styles.said}>{tool.description}</p>}
                <JsonView label={tool.name} value={tool.schema ?? null} maxHeight={240} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <Fold label={text.parameters}>
        <JsonView label={text.parameters} value={prompt.parameters} maxHeight={240} />
      </Fold>
    </>
  );
}

function Fold({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>
        <ChevronRight size={14} />
        {label}
      </summary>
      {children}
    </details>
  );
}

function Messages({ messages }: { messages: readonly Message[] }) {
  const text = useText(traceBodyText);
  return (
    <ol className={styles.cards}>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never move
        <li key={index} data-role={message.role} className={styles.card}>
          <b className={styles.role}>{text.roles[message.role] ?? message.role}</b>
          {message.parts.map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same
            <PartView key={place} part={part} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function PartView({ part }: { part: Part }) {
  const text = useText(traceBodyText);
  if (part.kind === "text") return <p className={styles.said}>{part.text}</p>;
  if (part.kind === "thoughts")
    return (
      <Fold label={text.thoughts}>
        <p className={styles.said}>{part.text}</p>
      </Fold>
    );
  const label =
    part.kind === "call"
      ? text.calls(part.name)
      : part.kind === "result"
        ? text.resultOf(part.id)
        : text.panes.raw;
  return (
    <div className={styles.piece}>
      <span className={styles.of}>{label}</span>
      <Value label={label} value={part.value} />
    </div>
  );
}

/** What the prompt is made of, as one bar; by length, which is close to what it costs. */
function Shares({ prompt }: { prompt: Prompt }) {
  const text = useText(traceBodyText);
  const shares = sharesOf(prompt);
  const whole = shares.reduce((sum, share) => sum + share.size, 0);
  if (whole === 0) return null;
  const named = shares.map(({ kind, size }) => ({
    kind,
    size,
    name: text.share(text.shares[kind], Math.round((size / whole) * 100)),
  }));
  return (
    <figure className={styles.shares}>
      <div
        role="img"
        aria-label={text.shareBar(named.map(({ name }) => name).join(", "))}
        className={styles.shareBar}
      >
        {named.map(({ kind, size, name }) => (
          <span key={kind} data-share={kind} title={name} style={{ flexGrow: size }} />
        ))}
      </div>
      <figcaption aria-hidden="true" className={styles.legend}>
        {named.map(({ kind, name }) => (
          <span key={kind} data-share={kind}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
