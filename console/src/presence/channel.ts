import { transport } from "../api/transport";
import { LiveChannel } from "./live";

/** How long a window that nobody sees goes on: it would keep the session of nobody alive. */
const UNSEEN_MS = 5 * 60_000;

let channel: LiveChannel | undefined;

/** The channel of this window, which it shares with the others of the browser. */
export function live(): LiveChannel {
  channel ??= newChannel();
  return channel;
}

function newChannel(): LiveChannel {
  const made = new LiveChannel({
    open: async (signal, afterMs) => {
      const address = new URL("/admin/v1/live", location.origin);
      const since: [string, number] =
        afterMs === undefined ? ["past_ms", Math.ceil(performance.now())] : ["after", afterMs];
      address.searchParams.set(since[0], String(since[1]));
      const { body } = await transport(new Request(address, { signal }));
      if (!body) throw new Error("The channel has no body.");
      return body;
    },
    // Pages that come over plain HTTP from elsewhere have none.
    locks: "locks" in navigator ? navigator.locks : undefined,
    air: new BroadcastChannel("coterie-live"),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") made.wake();
    else timer = setTimeout(() => made.rest(), UNSEEN_MS);
  });
  return made;
}
