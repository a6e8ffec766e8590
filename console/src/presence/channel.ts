import { transport } from "../api/transport";
import { LiveChannel } from "./live";

let channel: LiveChannel | undefined;

/** The channel of this window, which it shares with the others of the browser. */
export function live(): LiveChannel {
  channel ??= new LiveChannel({
    open: async (signal) => {
      const address = new URL("/admin/v1/live", location.origin);
      const { body } = await transport(new Request(address, { signal }));
      if (!body) throw new Error("The channel has no body.");
      return body;
    },
    // Pages that come over plain HTTP from elsewhere have none.
    locks: "locks" in navigator ? navigator.locks : undefined,
    air: new BroadcastChannel("coterie-live"),
  });
  return channel;
}
