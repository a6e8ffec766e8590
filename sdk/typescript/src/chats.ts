/** Chats with agents: answers as a whole or while they are written, tools of the caller. */
import { type CoterieError, NotWaiting, RequiresAction, RunCanceled, RunFailed } from "./errors.js";
import type { Message, Run, RunEvent, ToolCall } from "./events.js";
import { Chats as Operations } from "./generated/chats.js";
import { EventStream, type Frame } from "./stream.js";
import { part, type Request, type RequestOptions, type Transport, withKey } from "./transport.js";

const ENDINGS: ReadonlySet<string> = new Set([
  "run.completed",
  "run.failed",
  "run.canceled",
  "run.requires_action",
]);
const MOST_ROUNDS = 50;

/** A part of a message: text, or the id of an uploaded file or an address. */
export type Part =
  | { type: "text"; text: string }
  | { type: "image" | "file" | "audio"; file_id?: string; file_url?: string };

/** A function of the caller, as the model sees it; `parameters` is a JSON Schema of type object. */
export interface Tool {
  name: string;
  description?: string;
  parameters?: Record<string, unknown>;
}

/** A tool with what it does; arguments come as the model wrote them. */
export interface RunnableTool extends Tool {
  run: (args: Record<string, unknown>) => unknown;
}

export interface ChatInput {
  /** Id or alias of the agent. */
  agent: string;
  message: string | readonly Part[];
  /** Conversation to go on with; without one a new one is made. */
  conversation?: string | undefined;
  /** End user, by which variables and memories are kept apart. */
  user?: string | undefined;
  variables?: Readonly<Record<string, string>> | undefined;
  tools?: readonly Tool[] | undefined;
}

/** What an agent said to a question, and the run in which it did. */
export interface Answer {
  text: string;
  reasoning: string;
  run: Run;
  messages: readonly Message[];
}

/** Events of a chat. */
export class RunStream extends EventStream<RunEvent> {
  /** The run as last told. */
  run: Run | undefined;

  /** The answer as it is written; throws unless the run ends well. */
  async *text(): AsyncGenerator<string, void, undefined> {
    for await (const event of this) {
      if (event.type === "message.delta" && event.text) yield event.text;
      throwFor(event);
    }
  }

  /** Wait for the end; throws unless the run ends well. */
  async answer(): Promise<Answer> {
    const messages: Message[] = [];
    for await (const event of this) {
      if (event.type === "message.completed") messages.push(event.message);
      throwFor(event);
      if (event.type === "run.completed") return answerOf(event.run, messages);
    }
    throw new Error("The stream was closed before the run ended.");
  }

  async cancel(): Promise<void> {
    const run = this.run ?? (await runOf(this.transport, this.runId));
    const body = { conversation_id: run.conversation_id, chat_id: run.id };
    await this.transport.send({ method: "POST", path: "/v3/chat/cancel", body });
  }

  protected decode(frame: Frame): RunEvent {
    const event = JSON.parse(frame.data) as RunEvent;
    if ("run" in event) {
      this.run = event.run;
      this.runId = event.run.id;
    }
    return event;
  }

  protected isLast(frame: Frame): boolean {
    return ENDINGS.has(frame.event);
  }

  protected nextRequest(): Request {
    return eventsRequest(this.runId, this.lastSeq);
  }

  protected override arrived(error: CoterieError): boolean {
    return error instanceof NotWaiting;
  }
}

/** Chats with agents. */
export class Chats extends Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /**
   * Ask an agent and wait for its answer.
   *
   * Throws `RequiresAction` if it calls a tool of the caller or asks back, `RunFailed` if it fails.
   */
  create(input: ChatInput, options?: RequestOptions): Promise<Answer> {
    return this.stream(input, options).answer();
  }

  /** Ask an agent and follow what it does. */
  stream(input: ChatInput, options: RequestOptions = {}): RunStream {
    const isText = typeof input.message === "string";
    const asked = {
      role: "user",
      content: isText ? input.message : JSON.stringify(input.message),
      content_type: isText ? "text" : "object_string",
    };
    const body = {
      bot_id: input.agent,
      user_id: input.user ?? "default",
      stream: true,
      additional_messages: [asked],
      custom_variables: input.variables ?? {},
      tools: (input.tools ?? []).map(onWire),
    };
    const query = { format: "events", conversation_id: input.conversation };
    const first: Request = { method: "POST", path: "/v3/chat", query, body, hasKey: true };
    return new RunStream(this.#transport, withKey(first, options), { signal: options.signal });
  }

  /** Hand in the outputs of the calls that a run waits for, by their ids; follow what comes. */
  async resume(
    run: string | Run,
    outputs: Readonly<Record<string, string>>,
    options: RequestOptions = {},
  ): Promise<RunStream> {
    const found = typeof run === "string" ? await runOf(this.#transport, run) : run;
    const given = Object.entries(outputs).map(([id, output]) => ({ tool_call_id: id, output }));
    const first: Request = {
      method: "POST",
      path: "/v3/chat/submit_tool_outputs",
      query: { format: "events", conversation_id: found.conversation_id, chat_id: found.id },
      body: { tool_outputs: given, stream: true },
    };
    return new RunStream(this.#transport, first, { signal: options.signal, runId: found.id });
  }

  /** Follow a run from any event on, also after its end. */
  follow(run: string, after = 0, options: RequestOptions = {}): RunStream {
    return new RunStream(this.#transport, eventsRequest(run, after), { ...options, runId: run, after });
  }

  /** Wait for the answer of a run that was begun elsewhere. */
  wait(run: string, options?: RequestOptions): Promise<Answer> {
    return this.follow(run, 0, options).answer();
  }

  /**
   * Ask an agent, call the functions that it wants, until it has an answer.
   *
   * What a function throws is told to the model, which may try again.
   */
  async runTools(
    input: Omit<ChatInput, "tools"> & { tools: readonly RunnableTool[] },
    options: RequestOptions = {},
  ): Promise<Answer> {
    const known = new Map(input.tools.map((tool) => [tool.name, tool]));
    let stream = this.stream(input, options);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      let waiting: RequiresAction;
      try {
        return await stream.answer();
      } catch (error) {
        if (!(error instanceof RequiresAction) || error.calls.length === 0) throw error;
        waiting = error;
      }
      const outputs: Record<string, string> = {};
      for (const [at, call] of waiting.calls.entries()) {
        outputs[waiting.outputIds[at] ?? call.id] = await called(known.get(call.name), call);
      }
      stream = await this.resume(waiting.run, outputs, { signal: options.signal });
    }
    throw new Error(`The agent called tools ${MOST_ROUNDS} times without an answer.`);
  }
}

function onWire(tool: Tool): unknown {
  const { name, description = "", parameters = { type: "object", properties: {} } } = tool;
  return { type: "function", function: { name, description, parameters } };
}

async function called(tool: RunnableTool | undefined, call: ToolCall): Promise<string> {
  if (!tool) return `There is no function ${call.name}.`;
  try {
    const result = await tool.run(JSON.parse(call.arguments || "{}") as Record<string, unknown>);
    return typeof result === "string" ? result : JSON.stringify(result ?? null);
  } catch (error) {
    return String(error);
  }
}

function answerOf(run: Run, messages: readonly Message[]): Answer {
  const answers = messages.filter((message) => message.kind === "answer");
  return {
    text: answers.map((message) => message.text).join("\n"),
    reasoning: answers.map((message) => message.reasoning).filter(Boolean).join("\n"),
    run,
    messages,
  };
}

function eventsRequest(run: string, after: number): Request {
  return { method: "GET", path: `/v1/runs/${part(run)}/events`, query: { after } };
}

/** Look up a run by the first of its events. */
async function runOf(transport: Transport, run: string): Promise<Run> {
  const stream = new RunStream(transport, eventsRequest(run, 0), { runId: run });
  for await (const _ of stream) {
    if (stream.run) return stream.run;
  }
  throw new Error("A run has no event.");
}

function throwFor(event: RunEvent): void {
  if (event.type === "run.failed") {
    const { message, code, slug } = event.run.error;
    throw new RunFailed(event.run, message, { code, detail: slug });
  }
  if (event.type === "run.canceled") throw new RunCanceled(event.run);
  if (event.type === "run.requires_action") throw new RequiresAction(event.run);
}
