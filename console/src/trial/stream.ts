import { apiError } from "../api/errors";
import { transport } from "../api/transport";
import { sseEvents } from "../stream/sse";

/** Posts a body and reads the events of the answer; what breaks it is thrown as its refusal. */
export async function* posted<T extends { type: string }>(
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<Exclude<T, { type: "error" }>> {
  const response = await transport(
    new Request(new URL(path, location.origin), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  );
  if (!response.body) return;
  for await (const { event, data } of sseEvents(response.body)) {
    if (event === "error") throw apiError(response, JSON.parse(data));
    yield JSON.parse(data);
  }
}
