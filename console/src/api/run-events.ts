import { asApiError } from "./queries";
import { transport } from "./transport";

/** Opens an event stream of the API behind a number, as `followRun` wants it. */
export function openEvents(path: string) {
  return async (after: number, signal: AbortSignal) => {
    const url = new URL(path, location.origin);
    url.searchParams.set("after", String(after));
    const response = await transport(new Request(url, { signal }));
    if (!response.body) throw new Error("no body");
    return response.body;
  };
}

/** Whether opening it once more would be refused again. */
export function isRefusal(error: unknown): boolean {
  const refused = asApiError(error);
  return refused !== undefined && !refused.isPassing && refused.status < 500;
}
