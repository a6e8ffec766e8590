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

/** A request that was not answered as it should be. */
export type Refused = { error: ApiError; isSafe: boolean; beganAt: number; signal: AbortSignal };

/** What watches over the connection for all requests; it comes behind the first screen. */
export type Watch = {
  answered: () => void;
  failed: (error: ApiError) => void;
  /** Waits for a server that restarts; false where that is not it, or takes too long. */
  isBack: (refused: Refused) => Promise<boolean>;
};

let keeper: Keeper | undefined;
let watch: Watch | undefined;

export function keepSession(by: Keeper): void {
  keeper = by;
}

export function watchServer(by: Watch | undefined): void {
  watch = by;
}

/** The one place that calls the server: identifies, repeats, and asks the person where need be. */
export async function transport(request: Request): Promise<Response> {
  const isSafe = SAFE.has(request.method);
  const isMended = mender(new URL(request.url).pathname);
  const beganAt = Date.now();
  for (let attempt = 0; ; ) {
    const response = await sent(request.clone(), isSafe);
    if (response instanceof Response && response.ok) {
      watch?.answered();
      return response;
    }
    const error = response instanceof Response ? await refusalOf(response) : response;
    watch?.failed(error);
    if (await watch?.isBack({ error, isSafe, beganAt, signal: request.signal })) continue;
    if (isSafe && error.isPassing && attempt < RETRY_AFTER_MS.length) {
      await pause(waitMs(error, attempt), request.signal);
      attempt += 1;
      continue;
    }
    if (await isMended(error)) continue;
    throw error;
  }
}

/** Tells of one request's refusals whether it can be repeated, after what the person did for it. */
export function mender(path: string): (error: ApiError) => Promise<boolean> {
  let wasRenewed = false;
  return async (error) => {
    if (!keeper) return false;
    if (error.slug === "csrf" && !wasRenewed) {
      wasRenewed = true;
      await keeper.renew();
      return true;
    }
    if (path.startsWith(AUTH)) return false;
    if (error.status === 401) return keeper.signInAgain();
    if (error.slug === "recent_sign_in_needed") return keeper.stepUp();
    return false;
  };
}

/** What a request that changes something says besides its body. */
export function identity(): Record<string, string> {
  const csrf = keeper?.csrf() ?? "";
  return { "X-Request-Id": crypto.randomUUID(), ...(csrf && { [CSRF_HEADER]: csrf }) };
}

async function sent(request: Request, isSafe: boolean): Promise<Response | ApiError> {
  for (const [name, value] of Object.entries(identity()))
    if (!isSafe || name !== CSRF_HEADER) request.headers.set(name, value);
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
