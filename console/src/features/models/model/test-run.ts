import { useEffect, useRef, useState } from "react";
import type { ApiError } from "../../../api/errors";
import { asApiError } from "../../../api/queries";
import type { ModelCheck, ModelReport, ModelTestEvent, ModelTestInput } from "../../../api/schema";
import { posted } from "../../../trial/stream";
import { useRefreshModels } from "../queries";

/** A test as far as it has come. */
export type TestRun = {
  /** The check that goes on. */
  running: ModelCheck["name"] | undefined;
  checks: readonly ModelCheck[];
  report?: ModelReport;
  failure?: ApiError | { message: string };
};

const BEGUN: TestRun = { running: "chat", checks: [] };

/** The test after one more event. */
function followed(run: TestRun, event: ModelTestEvent): TestRun {
  switch (event.type) {
    case "check.started":
      return { ...run, running: event.name };
    case "check.completed":
      return { ...run, running: undefined, checks: [...run.checks, event.check] };
    case "test.completed":
      return { ...run, running: undefined, report: event.report };
    default:
      return run;
  }
}

/** Tests settings check by check; what a person leaves is not tested to its end. */
export function useModelTest() {
  const [run, setRun] = useState<TestRun>();
  const stop = useRef<AbortController>(undefined);
  const refresh = useRefreshModels();
  useEffect(() => () => stop.current?.abort(), []);
  async function begin(body: ModelTestInput): Promise<ModelReport | undefined> {
    stop.current?.abort();
    const begun = new AbortController();
    stop.current = begun;
    let now = BEGUN;
    const show = (next: TestRun) => {
      now = next;
      if (!begun.signal.aborted) setRun(next);
    };
    show(BEGUN);
    try {
      for await (const event of posted<ModelTestEvent>(
        "/admin/v1/models:check",
        body,
        begun.signal,
      ))
        show(followed(now, event));
    } catch (error) {
      if (begun.signal.aborted) return undefined;
      show({
        ...now,
        running: undefined,
        failure: asApiError(error) ?? { message: String(error) },
      });
    }
    if (!body.changes) void refresh();
    return now.report;
  }
  return {
    run,
    begin,
    isRunning: run !== undefined && !run.report && !run.failure,
    hasFailed: run?.failure !== undefined || run?.report?.ok === false,
  };
}

export type ModelTest = ReturnType<typeof useModelTest>;
