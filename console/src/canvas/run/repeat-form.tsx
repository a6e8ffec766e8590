import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { asRecord, readRecord } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { TextArea } from "../../ui/text-field/text-area";
import rows from "../forms/rows.module.css";
import { before, graphOf, type Placed } from "../model/graph";
import { inputsOf } from "../model/output";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import styles from "./repeat-form.module.css";
import { badField, type Draft, draftFrom, inputsFrom, RunForm } from "./run-form";
import { type Changed, useRun, useRunControl } from "./run-store";

type Props = {
  node: Placed;
  /** What the node read before. */
  input: unknown;
  onRepeat: (changed: Changed) => Promise<void>;
};

/** Runs again from a node on: with what it read, other inputs, or other results before it. */
export function RepeatForm({ node, input, onRepeat }: Props) {
  const { repeat: text, fromHere } = useText(canvasText).run;
  const run = useRun();
  const control = useRunControl();
  const graph = useCanvas((state) => graphOf(state.root));
  const values = asRecord(input);
  const fields = inputsOf(node)
    .filter((each) => each.name in values)
    .map((each) => ({ ...each.type, name: each.name }));
  const first = draftFrom(values);
  const [draft, setDraft] = useState<Draft>(first);
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const view = control.store.getState().view;
  const sources = before(graph, node.id).flatMap((id) => {
    const source = graph.nodes.get(id);
    const last = view?.results.get(id)?.findLast((each) => each.state === "success");
    return source && last ? [{ source, text: JSON.stringify(last.output, null, 2) ?? "{}" }] : [];
  });
  const bad = badField(fields, draft);
  const wrong = Object.entries(results).find(([, said]) => !readRecord(said))?.[0];
  async function start(): Promise<void> {
    const isChanged = fields.some((each) => draft[each.name] !== first[each.name]);
    const outputs = Object.entries(results)
      .filter(([id, said]) => said !== sources.find((each) => each.source.id === id)?.text)
      .map(([id, said]) => [id, readRecord(said) ?? {}] as const);
    setBusy(true);
    await onRepeat({
      ...(isChanged && { inputs: { ...values, ...inputsFrom(fields, draft) } }),
      ...(outputs.length > 0 && { outputs: Object.fromEntries(outputs) }),
    });
    setBusy(false);
  }
  return (
    <div className={styles.form}>
      <div className={rows.stack}>
        <p className={rows.hint}>{text.why}</p>
        {fields.length > 0 && <RunForm fields={fields} draft={draft} onChange={setDraft} />}
        {bad && <p className={rows.bad}>{text.bad(bad.name)}</p>}
        {sources.length > 0 && (
          <details className={styles.before}>
            <summary>{text.before(sources.length)}</summary>
            <div className={rows.stack}>
              {sources.map(({ source, text: said }) => (
                <TextArea
                  key={source.id}
                  label={source.title}
                  rows={4}
                  isCode
                  value={results[source.id] ?? said}
                  onChange={(next) => setResults({ ...results, [source.id]: next })}
                />
              ))}
            </div>
          </details>
        )}
        {wrong && <p className={rows.bad}>{text.noObject(graph.nodes.get(wrong)?.title ?? "")}</p>}
        {run.failure && <ErrorLine failure={run.failure} />}
        <div>
          <Button
            size="compact"
            kind="primary"
            icon={<RotateCcw size={14} />}
            isLoading={isBusy || run.isStarting}
            disabled={bad !== undefined || wrong !== undefined}
            onClick={() => void start()}
          >
            {fromHere}
          </Button>
        </div>
      </div>
    </div>
  );
}
