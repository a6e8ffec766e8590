import { ApiError, apiError, unreachable } from "./errors";
import type { AdminFile } from "./schema";
import { identity, mender } from "./transport";

const PATH = "/admin/v1/files";

type Options = {
  workspaceId: string;
  /** The same for every attempt: a file that did arrive is not stored twice. */
  key: string;
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
};

/** Stores one file. `fetch` cannot tell how far a body is, so this is an XMLHttpRequest. */
export async function upload(file: File, name: string, options: Options): Promise<AdminFile> {
  const isMended = mender(PATH);
  for (;;) {
    const outcome = await sent(file, name, options);
    if (!(outcome instanceof ApiError)) return outcome;
    if (!(await isMended(outcome))) throw outcome;
  }
}

function sent(file: File, name: string, options: Options): Promise<AdminFile | ApiError> {
  const { workspaceId, key, signal, onProgress } = options;
  const body = new FormData();
  body.append("file", file, name);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", `${PATH}?space_id=${encodeURIComponent(workspaceId)}`);
    call.responseType = "json";
    for (const [header, value] of Object.entries(identity())) call.setRequestHeader(header, value);
    call.setRequestHeader("Idempotency-Key", key);
    call.upload.onprogress = (event) => onProgress(event.loaded);
    call.onload = () => resolve(call.status < 300 ? call.response : refusal(call));
    call.onerror = () => resolve(unreachable());
    call.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => call.abort(), { once: true });
    call.send(body);
  });
}

function refusal(call: XMLHttpRequest): ApiError {
  const headers = new Headers();
  for (const name of ["x-log-id", "retry-after"]) {
    const value = call.getResponseHeader(name);
    if (value) headers.set(name, value);
  }
  return apiError(new Response(null, { status: call.status, headers }), call.response);
}
