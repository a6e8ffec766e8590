import { useEffect } from "react";
import { client } from "./client";

type Kind = "agent";

/** Remembers what somebody opened: it stands first at home. Nothing is lost where that fails. */
export function useOpened(type: Kind, id: string): void {
  useEffect(() => {
    client.PUT("/admin/v1/presence", { body: { type, id, is_open: true } }).catch(() => undefined);
  }, [type, id]);
}
