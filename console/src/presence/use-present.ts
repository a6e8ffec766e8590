import { useEffect, useState } from "react";
import { client, unwrap } from "../api/client";
import type { AdminPresent, PresenceBody } from "../api/schema";
import { live } from "./channel";

/** Others see somebody for 45 seconds after the last word. */
const AGAIN_MS = 20_000;
/** This page, among the windows of one person. */
const WINDOW = crypto.randomUUID();
const NOBODY: readonly AdminPresent[] = [];

function say(type: string, id: string, isOpen: boolean) {
  const body: PresenceBody = { type, id, is_open: isOpen, window: WINDOW };
  return unwrap(client.PUT("/admin/v1/presence", { body, keepalive: !isOpen }));
}

/**
 * Says that something is open before somebody, and tells who else has it open. It stands first at
 * home from then on. Nothing is lost where that fails.
 */
export function usePresent(type: "agent" | "workflow", id: string): readonly AdminPresent[] {
  const [people, setPeople] = useState(NOBODY);
  useEffect(() => {
    let isHere = true;
    const open = () =>
      say(type, id, true).then(
        (found) => isHere && setPeople((old) => (isSame(old, found.people) ? old : found.people)),
        () => undefined,
      );
    const leave = () => void say(type, id, false).catch(() => undefined);
    const seen = () => document.visibilityState === "visible" && void open();
    void open();
    const timer = setInterval(open, AGAIN_MS);
    const end = live().listen((event) => {
      if (event.type !== "presence") return;
      if (event.resource_type === type && event.resource_id === id) setPeople(event.people);
    });
    document.addEventListener("visibilitychange", seen);
    addEventListener("pagehide", leave);
    return () => {
      isHere = false;
      clearInterval(timer);
      end();
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("pagehide", leave);
      setPeople(NOBODY);
      leave();
    };
  }, [type, id]);
  return people;
}

function isSame(one: readonly AdminPresent[], other: readonly AdminPresent[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
