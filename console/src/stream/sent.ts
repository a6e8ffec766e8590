type Options = {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
};

const TOLD = ["retry-after", "x-log-id"];

/**
 * Posts a form. `fetch` cannot tell how far a body is, so this is an XMLHttpRequest. Gives the
 * answer whatever its status, and nothing where the server gave none.
 */
export function sent(url: string, body: FormData, options: Options): Promise<Response | undefined> {
  const { headers, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const call = new XMLHttpRequest();
    call.open("POST", url);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.onprogress = (event) => onProgress(event.loaded);
    call.onload = () => resolve(answerOf(call));
    call.onerror = () => resolve(undefined);
    call.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => call.abort(), { once: true });
    call.send(body);
  });
}

function answerOf(call: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of TOLD) {
    const value = call.getResponseHeader(name);
    if (value) headers.set(name, value);
  }
  return new Response(call.responseText || null, { status: call.status, headers });
}
