import { type ApiError, apiError, unreachable } from "./errors";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRY_AFTER_MS = [300, 1000, 3000];
const JITTER = 0.3;
const LONGEST_WAIT_S = 60;
const CSRF_HEADER = "Coterie-CSRF";
const AUTH = "/admin/v1/auth/";

/** What the session does for requests; `session/` provides it. */
export type Keeper = {
  /** Value of the CSRF header; empty while nobody is signed in. */
  csrf: () => string;
  /** Fetches the session once more, after its CSRF value was refused. */
  renew: () => Promise<void>;
  /** Asks the person to sign in again; false where the request is to fail instead. */
  signInAgain: () => Promise<boolean>;
  /** Asks for the password once more before something weighty. */
  stepUp: () => Promise<boolean>;
};

let keeper: Keeper | undefined;

export function keepSession(by: Keeper): void {
  keeper = by;
}

/** The one place that calls the server: identifies, repeats, and asks the person where need be. */
export async function transport(request: Request): Promise<Response> {
  const isSafe = SAFE.has(request.method);
  let wasRenewed = false;
  for (let attempt = 0; ; ) {
    const response = await sent(request.clone(), isSafe);
    if (response instanceof Response && response.ok) return response;
    const error = response instanceof Response ? await refusalOf(response) : response;
    if (isSafe && error.isPassing && attempt < RETRY_AFTER_MS.length) {
      await pause(waitMs(error, attempt), request.signal);
      attempt += 1;
      continue;
    }
    if (error.slug === "csrf" && !wasRenewed && keeper) {
      wasRenewed = true;
      await keeper.renew();
      continue;
    }
    if (await isMended(error, request)) continue;
    throw error;
  }
}

/** Whether the person did what the request needs, so that it can be repeated. */
async function isMended(error: ApiError, request: Request): Promise<boolean> {
  if (!keeper || new URL(request.url).pathname.startsWith(AUTH)) return false;
  if (error.status === 401) return keeper.signInAgain();
  if (error.slug === "recent_sign_in_needed") return keeper.stepUp();
  return false;
}

async function sent(request: Request, isSafe: boolean): Promise<Response | ApiError> {
  const csrf = keeper?.csrf() ?? "";
  if (!isSafe && csrf) request.headers.set(CSRF_HEADER, csrf);
  request.headers.set("X-Request-Id", crypto.randomUUID());
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    return unreachable();
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  return apiError(response, body);
}

function waitMs(error: ApiError, attempt: number): number {
  if (error.retryAfterS > 0) return Math.min(error.retryAfterS, LONGEST_WAIT_S) * 1000;
  return (RETRY_AFTER_MS[attempt] ?? 0) * (1 + JITTER * Math.random());
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
