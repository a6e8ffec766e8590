import { live } from "./channel";

/**
 * Tells of the revision that something has after a change, whoever made it, and of none where
 * changes may have been missed; until the returned function is called.
 */
export function listenToChanges(
  type: "agent" | "workflow",
  id: string,
  hear: (revision?: number) => void,
): () => void {
  return live().listen((event) => {
    if (event.type === "reset") hear();
    if (event.type !== "changed") return;
    if (event.resource_type === type && event.resource_id === id) hear(event.revision);
  });
}
