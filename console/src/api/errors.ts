import { asRecord } from "../json/json";

type Facts = {
  status: number;
  code: number;
  message: string;
  slug: string;
  logId: string;
  retryAfterS: number;
};

/** What the server answered instead of a result; status 0 where it did not answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: number;
  /** Machine-readable reason: `csrf`, `recent_sign_in_needed`, `not_found` … */
  readonly slug: string;
  readonly logId: string;
  readonly retryAfterS: number;

  constructor(facts: Facts) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.slug = facts.slug;
    this.logId = facts.logId;
    this.retryAfterS = facts.retryAfterS;
  }

  /** Whether the same request may do better a moment later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || (this.status >= 502 && this.status <= 504);
  }

  /** Whether nobody answered, or a proxy in place of the server. */
  get isSilence(): boolean {
    return this.isPassing && this.code === 0 && this.status !== 429;
  }
}

export function unreachable(): ApiError {
  return new ApiError({
    status: 0,
    code: 0,
    message: "",
    slug: "unreachable",
    logId: "",
    retryAfterS: 0,
  });
}

/** Reads a refusal; bodies of proxies in between are passed over. */
export function apiError(response: Response, body: unknown): ApiError {
  const error = asRecord(asRecord(body)["error"]);
  return new ApiError({
    status: response.status,
    code: number(asRecord(body)["code"]),
    message: text(asRecord(body)["msg"]),
    slug: text(error["detail"]),
    logId: text(error["logid"]) || (response.headers.get("x-log-id") ?? ""),
    retryAfterS: number(Number(response.headers.get("retry-after") ?? 0)),
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
