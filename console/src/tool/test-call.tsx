import { CircleCheck, CircleX, Play } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { failureOf } from "../api/list";
import type { DebugReport, ToolView } from "../api/schema";
import { useText } from "../text/catalogue";
import { formatBytes, formatDuration, formatNames } from "../text/formats";
import { Button } from "../ui/button/button";
import { ErrorLine } from "../ui/error-state/error-line";
import { JsonView } from "../ui/json-view/json-view";
import { Segmented } from "../ui/segmented/segmented";
import { StateBadge } from "../ui/state-badge/state-badge";
import { TextArea } from "../ui/text-field/text-area";
import { ArgumentField } from "./argument-field";
import { argumentsOf, OBJECT, type Parameter, parametersOf, readValue, type Typed } from "./rules";
import styles from "./test-call.module.css";
import { toolCallText } from "./text";
import { useCallTool } from "./use-call-tool";

type Props = {
  tool: ToolView;
  /** What is called is saved before. */
  isChanged?: boolean;
  canCall: boolean;
  onSave?: () => Promise<void>;
  /** Takes over what the answer is made of; nothing where that is declared elsewhere. */
  onSchema?: ((responses: Parameter[]) => void) | undefined;
  /** Keeps an answer to show what the tool gives; nothing where the tool is not edited. */
  onExample?: ((answer: unknown) => void) | undefined;
};

/** A call of the tool as it is in the draft, with all that went over the line. */
export function TestCall({ tool, isChanged, canCall, onSave, onSchema, onExample }: Props) {
  const text = useText(toolCallText);
  const parameters = useMemo(() => parametersOf(tool.input_schema), [tool.input_schema]);
  const [mode, setMode] = useState<"form" | "json">("form");
  const [typed, setTyped] = useState<Typed>({});
  const [json, setJson] = useState("{}");
  const call = useCallTool(tool.plugin_id, tool.id);
  const form = argumentsOf(typed, parameters);
  const whole = readValue(json, OBJECT);
  const failure = failureOf(call.error);
  const isWrong = mode === "form" ? form.wrong.length > 0 : whole.isWrong;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isWrong) return;
    const values = mode === "form" ? form.values : { ...Object(whole.value) };
    await onSave?.();
    call.mutate(values);
  }
  function show(next: "form" | "json"): void {
    if (next === "json") setJson(JSON.stringify(form.values, null, 2));
    setMode(next);
  }
  return (
    <section aria-label={text.title} className={styles.call}>
      <div className={styles.bar}>
        <h2 className={styles.title}>{text.title}</h2>
        <Segmented
          label={text.mode}
          value={mode}
          options={[
            { value: "form", label: text.form },
            { value: "json", label: text.json },
          ]}
          onChange={show}
        />
      </div>
      <form className={styles.part} onSubmit={(event) => void submit(event).catch(() => undefined)}>
        {mode === "json" ? (
          <TextArea
            label={text.arguments}
            isLabelHidden
            isCode
            value={json}
            onChange={setJson}
            spellCheck={false}
            {...(whole.isWrong ? { error: text.noObject } : {})}
          />
        ) : (
          <>
            {parameters.length === 0 && <p className={styles.note}>{text.noArguments}</p>}
            {parameters.map((parameter) => (
              <ArgumentField
                key={parameter.name}
                parameter={parameter}
                value={typed[parameter.name] ?? ""}
                onChange={(value) => setTyped({ ...typed, [parameter.name]: value })}
              />
            ))}
          </>
        )}
        {mode === "form" && form.wrong.length > 0 && (
          <p role="alert" className={styles.note}>
            {text.wrong(formatNames(form.wrong))}
          </p>
        )}
        <div className={styles.bar}>
          <Button
            kind="primary"
            type="submit"
            icon={<Play size={16} />}
            disabled={isWrong || !canCall}
            isLoading={call.isPending}
          >
            {isChanged ? text.saveAndCall : text.verb}
          </Button>
          {tool.effect !== "read" && <span className={styles.note}>{text.real}</span>}
        </div>
      </form>
      {failure && <ErrorLine failure={failure} />}
      {!call.data && !onExample && tool.example !== undefined && tool.example !== null && (
        <details className={styles.result}>
          <summary className={styles.note}>{text.example}</summary>
          <JsonView label={text.example} value={tool.example} />
        </details>
      )}
      {call.data && (
        <Report
          report={call.data}
          onSchema={
            onSchema && call.data.inferred_response_schema
              ? () => onSchema(parametersOf(call.data.inferred_response_schema))
              : undefined
          }
          onExample={
            onExample && call.data.response ? () => onExample(call.data.response) : undefined
          }
        />
      )}
    </section>
  );
}

/** An answer as a model reads it: a text, or JSON of which the ends may be left out. */
function Answer({ text: answer }: { text: string }) {
  const text = useText(toolCallText);
  const { value, isWrong } = readValue(answer, OBJECT);
  if (!isWrong && value !== undefined) return <JsonView label={text.read} value={value} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <pre tabIndex={0} className={styles.raw}>
      {answer}
    </pre>
  );
}

type ReportProps = {
  report: DebugReport;
  onSchema: (() => void) | undefined;
  onExample: (() => void) | undefined;
};

function Report({ report, onSchema, onExample }: ReportProps) {
  const text = useText(toolCallText);
  const bytes = new TextEncoder().encode(report.raw_response).length;
  return (
    <div className={styles.result} aria-live="polite">
      <div className={styles.facts}>
        <StateBadge
          tone={report.success ? "ok" : "bad"}
          icon={report.success ? <CircleCheck size={14} /> : <CircleX size={14} />}
        >
          {report.success ? text.worked : text.failed}
        </StateBadge>
        {report.status > 0 && <span>{text.status(report.status)}</span>}
        <span>{formatDuration(report.duration_ms)}</span>
        {report.raw_response && <span>{formatBytes(bytes)}</span>}
      </div>
      {report.reason && <ErrorLine failure={{ message: report.reason, status: 400 }} />}
      {report.authorize_url && (
        <a href={report.authorize_url} target="_blank" rel="noreferrer" className={styles.link}>
          {text.connect}
        </a>
      )}
      {report.response && (
        <>
          <div className={styles.bar}>
            <h3 className={styles.title}>{text.read}</h3>
            <div className={styles.actions}>
              {onExample && (
                <Button size="compact" onClick={onExample}>
                  {text.useAsExample}
                </Button>
              )}
              {onSchema && (
                <Button size="compact" onClick={onSchema}>
                  {text.takeSchema}
                </Button>
              )}
            </div>
          </div>
          <Answer text={report.text} />
        </>
      )}
      <h3 className={styles.title}>{text.request}</h3>
      <JsonView label={text.request} value={report.raw_request} />
      {report.raw_response && (
        <details>
          <summary className={styles.note}>{text.raw}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
          <pre tabIndex={0} className={styles.raw}>
            {report.raw_response}
          </pre>
        </details>
      )}
    </div>
  );
}
