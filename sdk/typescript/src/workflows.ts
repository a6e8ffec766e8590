/** Runs of workflows: waited for or followed, with questions answered on the way. */
import { WorkflowFailed } from "./errors.js";
import type { Question, WorkflowEvent } from "./events.js";
import { Workflows as Operations } from "./generated/workflows.js";
import { EventStream, type Frame } from "./stream.js";
import { part, type Request, type RequestOptions, type Transport } from "./transport.js";

const ENDINGS: ReadonlySet<string> = new Set(["run_ended", "run_interrupted"]);

/** What became of a run; `questions` are what it waits for. */
export interface WorkflowRun {
  id: string;
  status: string;
  output: Record<string, unknown>;
  /** What its nodes said on the way. */
  text: string;
  questions: readonly Question[];
  /** Number of the last event that told of it. */
  lastSeq: number;
}

/** Events of a run of a workflow, up to its end or to a question. */
export class WorkflowStream extends EventStream<WorkflowEvent> {
  /** What the nodes say; throws if the run fails. */
  async *text(): AsyncGenerator<string, void, undefined> {
    for await (const event of this) {
      if (event.type === "message" && !event.is_reasoning) yield event.text;
      throwFor(this.runId, event);
    }
  }

  /** Wait for the end or a question; throws if the run fails. */
  async result(): Promise<WorkflowRun> {
    let text = "";
    for await (const event of this) {
      throwFor(this.runId, event);
      if (event.type === "message" && !event.is_reasoning) text += event.text;
      if (event.type === "run_interrupted") {
        const waits = begun(this.runId, "interrupted");
        return { ...waits, text, questions: event.pending, lastSeq: this.lastSeq };
      }
      if (event.type === "run_ended") {
        const done = begun(this.runId, event.phase);
        if (event.answers) return { ...done, text: event.output || text };
        return { ...done, text, output: JSON.parse(event.output || "{}") as Record<string, unknown> };
      }
    }
    throw new Error("The stream was closed before the run ended.");
  }

  async cancel(): Promise<void> {
    await this.transport.send({ method: "POST", path: `${pathOf(this.runId)}/cancel` });
  }

  protected decode(frame: Frame): WorkflowEvent {
    return JSON.parse(frame.data) as WorkflowEvent;
  }

  protected isLast(frame: Frame): boolean {
    return ENDINGS.has(frame.event);
  }

  protected nextRequest(): Request {
    return eventsRequest(this.runId, this.lastSeq);
  }
}

export interface WorkflowInput {
  workflow: string;
  inputs?: Readonly<Record<string, unknown>> | undefined;
}

/** Workflows and their runs. */
export class Workflows extends Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /** Run a workflow; with `wait` (the default) to its end or its first question. */
  async run(input: WorkflowInput & { wait?: boolean }, options: RequestOptions = {}): Promise<WorkflowRun> {
    const run = await this.#start(input, options);
    return input.wait === false ? begun(run, "running") : this.follow(run, 0, options).result();
  }

  /** Run a workflow and follow what it does. */
  async stream(input: WorkflowInput, options: RequestOptions = {}): Promise<WorkflowStream> {
    return this.follow(await this.#start(input, options), 0, options);
  }

  /** Follow a run from any event on. */
  follow(run: string, after = 0, options: RequestOptions = {}): WorkflowStream {
    return new WorkflowStream(this.#transport, eventsRequest(run, after), {
      signal: options.signal,
      runId: run,
      after,
    });
  }

  /** Answer the question that a run waits for, its first unless named, and wait on. */
  async answer(run: WorkflowRun, text: string, question = run.questions[0]?.id): Promise<WorkflowRun> {
    const body = { event_id: question, data: text };
    await this.#transport.send({ method: "POST", path: `${pathOf(run.id)}/resume`, body });
    return this.follow(run.id, run.lastSeq).result();
  }

  async #start(input: WorkflowInput, options: RequestOptions): Promise<string> {
    const body = { workflow_id: input.workflow, parameters: input.inputs ?? {}, is_async: true };
    const request = { method: "POST", path: "/v1/workflow/run", body, hasKey: true };
    return (await this.#transport.call<{ execute_id: string }>(request, options)).execute_id;
  }
}

function begun(id: string, status: string): WorkflowRun {
  return { id, status, output: {}, text: "", questions: [], lastSeq: 0 };
}

function pathOf(run: string): string {
  return `/admin/v1/workflow-runs/${part(run)}`;
}

function eventsRequest(run: string, after: number): Request {
  return { method: "GET", path: `${pathOf(run)}/events`, query: { after } };
}

function throwFor(run: string, event: WorkflowEvent): void {
  if (event.type !== "run_ended" || event.phase === "success") return;
  const message = event.fault?.message ?? "The run was cancelled.";
  throw new WorkflowFailed(begun(run, event.phase), message, { code: event.fault?.code ?? 0 });
}
