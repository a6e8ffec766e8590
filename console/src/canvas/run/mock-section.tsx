import { useState } from "react";
import { asRecord } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Section } from "../forms/input-rows";
import rows from "../forms/rows.module.css";
import { useFixedOutputs } from "../kinds";
import type { Placed } from "../model/graph";
import { outputsOf } from "../model/output";
import { canvasText } from "../text";
import { ownOutputs } from "./mocks";
import { useMocks } from "./overlay";
import { badField, type Draft, draftFrom, inputsFrom, RunForm } from "./run-form";
import { useResults, useRunControl } from "./run-store";

type Props = {
  node: Placed;
  /** Somebody is about to fix an output that was not fixed before. */
  isAsked: boolean;
  onEnd: () => void;
};

/** The output that stands for a node in test runs: at first that of the run that is shown. */
export function MockSection({ node, isAsked, onEnd }: Props) {
  const text = useText(canvasText).run.mock;
  const control = useRunControl();
  const mock = useMocks().get(node.id);
  const fixed = useFixedOutputs();
  const last = useResults(node.id).findLast((each) => each.state === "success")?.output;
  const fields = ownOutputs(node, outputsOf(node, fixed));
  const first = mock ?? asRecord(last);
  const [typed, setTyped] = useState<Draft>();
  const draft = typed ?? draftFrom(first);
  const bad = badField(fields, draft);
  if (!mock && !isAsked) return null;
  function leave(): void {
    control.mock(node.id, undefined);
    setTyped(undefined);
    onEnd();
  }
  function change(next: Draft): void {
    setTyped(next);
    if (mock && !badField(fields, next)) control.mock(node.id, inputsFrom(fields, next));
  }
  return (
    <Section
      title={text.title}
      aside={
        <>
          <Button size="compact" kind="quiet" onClick={leave}>
            {mock ? text.release : text.cancel}
          </Button>
          {!mock && (
            <Button
              size="compact"
              kind="primary"
              disabled={bad !== undefined}
              onClick={() => {
                control.mock(node.id, inputsFrom(fields, draft));
                onEnd();
              }}
            >
              {text.verb}
            </Button>
          )}
        </>
      }
    >
      <div className={rows.stack}>
        <p className={rows.hint}>{text.why}</p>
        {fields.length > 0 ? (
          <RunForm fields={fields} draft={draft} onChange={change} />
        ) : (
          <p className={rows.nothing}>{text.noOutputs}</p>
        )}
        {bad && typed && <p className={rows.bad}>{text.bad(bad.name)}</p>}
      </div>
    </Section>
  );
}
