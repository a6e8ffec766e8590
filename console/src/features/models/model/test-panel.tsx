import { CircleCheck, CircleDashed, CircleX, LoaderCircle, Play } from "lucide-react";
import type { LastTestView, ModelCheck } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { formatDuration, formatNames } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { classes } from "../../../ui/classes";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { JsonView } from "../../../ui/json-view/json-view";
import { Ago } from "../../../ui/time/ago";
import styles from "./model-screen.module.css";
import type { ModelTest } from "./test-run";
import { modelText } from "./text";

type Props = {
  test: ModelTest;
  last: LastTestView | undefined;
  /** What is tested is stored if it passes. */
  isSaving: boolean;
  onRun: (() => void) | undefined;
};

/** The checks of a model, one after the other, with what was sent and what came. */
export function TestPanel({ test, last, isSaving, onRun }: Props) {
  const { test: text } = useText(modelText);
  const { run } = test;
  return (
    <section aria-label={text.title} className={styles.part}>
      <div className={styles.bar}>
        <h2 className={styles.title}>{text.title}</h2>
        <Button
          icon={<Play size={16} />}
          disabled={!onRun}
          isLoading={test.isRunning}
          onClick={onRun}
        >
          {text.verb}
        </Button>
      </div>
      {!run && (
        <p className={styles.note}>
          {last ? (
            <>
              {last.ok ? text.lastOk : text.lastFailed(formatNames(last.failed.map(named(text))))}{" "}
              <Ago at={last.tested_at} />
              {last.is_outdated && ` · ${text.outdated}`}
            </>
          ) : (
            text.why
          )}
        </p>
      )}
      {run && (
        <ul className={styles.results}>
          {run.checks.map((check) => (
            <li key={check.name}>
              <Check check={check} />
            </li>
          ))}
          {run.running && (
            <li className={styles.result}>
              <div className={styles.head}>
                <span className={styles.sign} data-state="run">
                  <LoaderCircle size={16} className={styles.turning} />
                </span>
                <span>{text.checks[run.running]}</span>
                <span className={styles.times}>{text.running}</span>
              </div>
            </li>
          )}
        </ul>
      )}
      {run?.failure && <ErrorLine failure={{ message: run.failure.message, status: 400 }} />}
      <p role="status" className={styles.note}>
        {run?.report && (run.report.ok ? text.passed : isSaving ? text.failedUnsaved : text.failed)}
      </p>
    </section>
  );
}

type Words = { checks: Readonly<Record<ModelCheck["name"], string>> };

function named(text: Words): (name: string) => string {
  return (name) => Object.entries(text.checks).find(([key]) => key === name)?.[1] ?? name;
}

function Check({ check }: { check: ModelCheck }) {
  const { test: text } = useText(modelText);
  const state = check.ok ? "ok" : check.is_claimed ? "bad" : "none";
  const Sign = { ok: CircleCheck, bad: CircleX, none: CircleDashed }[state];
  const head = (
    <>
      <span className={styles.sign} data-state={state}>
        <Sign size={16} aria-label={text.states[state]} role="img" />
      </span>
      <span>
        {text.checks[check.name]}
        {check.detail && (
          <span className={styles.detail} data-bad={state === "bad" || undefined}>
            {check.detail}
          </span>
        )}
      </span>
      <span className={styles.times}>
        {check.first_token_ms
          ? text.times(formatDuration(check.first_token_ms), formatDuration(check.latency_ms))
          : formatDuration(check.latency_ms)}
      </span>
    </>
  );
  if (!check.request && !check.answer) {
    return (
      <div className={styles.result}>
        <div className={styles.head}>{head}</div>
      </div>
    );
  }
  return (
    <details className={styles.result}>
      <summary className={classes(styles.head)}>{head}</summary>
      <div className={styles.exchange}>
        <Exchange label={text.sent} json={check.request} />
        {check.answer && <Exchange label={text.came} json={check.answer} />}
      </div>
    </details>
  );
}

function Exchange({ label, json }: { label: string; json: string }) {
  return (
    <>
      <h3 className={styles.label}>{label}</h3>
      <JsonView label={label} value={read(json)} maxHeight={240} />
    </>
  );
}

/** What was cut off is no JSON any more, and is shown as it is. */
function read(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
