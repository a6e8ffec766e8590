/** Errors by code: whatever the server refuses, a run ends with, or breaks on the way. */
import type { Run, ToolCall } from "./events.js";
import type { AdminDocument } from "./generated/types.gen.js";
import type { WorkflowRun } from "./workflows.js";

const LONGEST_WAIT_MS = 60_000;
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

export interface ErrorFacts {
  /** The server's number, see its page of errors; 0 if it did not answer. */
  code: number;
  /** HTTP status, 0 likewise. */
  status: number;
  /** What to quote to the operator. */
  logId: string;
  /** Stable name of the failure. */
  detail: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  retryAfterMs?: number | undefined;
}

const NO_FACTS: ErrorFacts = { code: 0, status: 0, logId: "", detail: "", retryable: false };

/** Whatever goes wrong. */
export class CoterieError extends Error implements ErrorFacts {
  readonly code: number;
  readonly status: number;
  readonly logId: string;
  readonly detail: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: Partial<ErrorFacts> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    const all = { ...NO_FACTS, ...facts };
    this.code = all.code;
    this.status = all.status;
    this.logId = all.logId;
    this.detail = all.detail;
    this.retryable = all.retryable;
    this.retryAfterMs = all.retryAfterMs;
  }
}

/** 400: a parameter is missing or malformed. */
export class BadRequest extends CoterieError {
  /** Path of the field that is wrong, if the server named one. */
  get field(): string | undefined {
    return /^([a-z_][\w.[\]]*): /i.exec(this.message)?.[1];
  }
}
/** 401: no token, or one that is unknown, expired or revoked. */
export class Unauthorized extends CoterieError {}
/** 403: the token or the role does not allow this. */
export class Forbidden extends CoterieError {
  /** Permission that is missing, if the server named one. */
  get permission(): string | undefined {
    return /permission ([a-z_.]+)/.exec(this.message)?.[1];
  }
}
/** 404: it does not exist, or not for this token. */
export class NotFound extends CoterieError {}
/** 409: the state of the resource does not allow this. */
export class Conflict extends CoterieError {}
/** The conversation already has a running chat. */
export class ConversationBusy extends Conflict {}
/** The run cannot be cancelled any more. */
export class NotCancelable extends Conflict {}
/** The run does not wait for these outputs. */
export class NotWaiting extends Conflict {}
/** Somebody saved the resource meanwhile: read it again, repeat the change. */
export class Stale extends Conflict {}
/** A check that guards this step did not pass. */
export class GateRefused extends Conflict {}
/** 413: a body, file or text above its limit. */
export class TooLarge extends CoterieError {}
/** 429: a rate, quota or concurrency limit is used up. */
export class RateLimited extends CoterieError {}
/** 402: the budget is used up. */
export class BudgetExceeded extends CoterieError {}
/** 500: a defect, or a run that failed by itself. */
export class ServerError extends CoterieError {}
/** 502: the model provider failed. */
export class ProviderError extends ServerError {}
/** 503: storage does not answer, or the process is shutting down. */
export class Unavailable extends ServerError {}
/** 501: the operation is known but not part of this deployment. */
export class NotImplementedHere extends ServerError {}
/** 504: it took longer than its limit. */
export class TimedOut extends ServerError {}
/** The server could not be reached, or the connection broke before an answer. */
export class ConnectionFailed extends CoterieError {}
/** A stream broke and could not be resumed; the run itself goes on. */
export class StreamBroken extends ConnectionFailed {
  constructor(
    message: string,
    readonly runId: string,
    readonly lastSeq: number,
    cause?: unknown,
  ) {
    super(message, { retryable: true }, cause);
  }
}
/** What was waited for did not come in time; it goes on. */
export class WaitTimeout extends CoterieError {}
/** The server answered something that this version does not understand. */
export class DecodeFailed extends CoterieError {}

/** The run ended with an error. */
export class RunFailed extends CoterieError {
  constructor(
    readonly run: Run,
    message: string,
    facts: Partial<ErrorFacts> = {},
  ) {
    super(message, facts);
  }
}
/** The run was cancelled. */
export class RunCanceled extends CoterieError {
  constructor(readonly run: Run) {
    super("The run was cancelled.");
  }
}
/**
 * The run waits: for the outputs of `calls`, or for an answer of the user.
 *
 * Outputs are handed in under `outputIds`, in the order of the calls.
 */
export class RequiresAction extends CoterieError {
  readonly calls: readonly ToolCall[];
  readonly outputIds: readonly string[];

  constructor(readonly run: Run) {
    const calls = run.waits_for?.calls ?? [];
    super(`The run waits for ${calls.map((call) => call.name).join(", ") || "an answer"}.`);
    this.calls = calls;
    this.outputIds = run.waits_for?.output_ids ?? [];
  }
}
/** The run of a workflow ended with an error, or was cancelled. */
export class WorkflowFailed extends CoterieError {
  constructor(
    readonly run: WorkflowRun,
    message: string,
    facts: Partial<ErrorFacts> = {},
  ) {
    super(message, facts);
  }
}
/** A document could not be read or indexed; the message says why. */
export class DocumentFailed extends CoterieError {
  constructor(readonly document: AdminDocument) {
    super(`${document.name}: ${document.fail_reason}`);
  }
}

type Kind = new (message: string, facts?: Partial<ErrorFacts>) => CoterieError;

const BY_CODE: Readonly<Record<number, Kind>> = {
  4013: RateLimited,
  4016: ConversationBusy,
  4028: BudgetExceeded,
  4104: NotCancelable,
  4105: NotWaiting,
  4106: Stale,
  4107: GateRefused,
  4201: NotImplementedHere,
  5001: ProviderError,
  5002: Unavailable,
  6023: TimedOut,
};
const BY_STATUS: Readonly<Record<number, Kind>> = {
  400: BadRequest,
  401: Unauthorized,
  402: BudgetExceeded,
  403: Forbidden,
  404: NotFound,
  408: TimedOut,
  409: Conflict,
  413: TooLarge,
  429: RateLimited,
  501: NotImplementedHere,
  502: ProviderError,
  503: Unavailable,
  504: TimedOut,
};

interface ErrorBody {
  code?: number;
  msg?: string;
  detail?: { logid?: string };
  error?: { message?: string; detail?: string; code?: string; param?: string };
}

/** The error that an answer, or the last frame of a stream, stands for. */
export function errorOf(status: number, headers: Headers, body: string): CoterieError {
  const said = parsed(body);
  const kind = BY_CODE[said.code ?? 0] ?? BY_STATUS[status] ?? (status >= 500 ? ServerError : CoterieError);
  let message = said.msg || said.error?.message || `The server answered ${status}.`;
  const param = said.error?.param;
  if (param && !message.startsWith(param)) message = `${param}: ${message}`;
  return new kind(message, {
    code: said.code ?? 0,
    status,
    logId: said.detail?.logid ?? headers.get("x-tt-logid") ?? "",
    detail: said.error?.detail ?? said.error?.code ?? "",
    retryable: TRANSIENT.has(status) && headers.get("x-should-retry") !== "false",
    retryAfterMs: wait(headers.get("retry-after")),
  });
}

function parsed(body: string): ErrorBody {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === "object" && said !== null ? said : {};
  } catch {
    return {};
  }
}

function wait(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}
