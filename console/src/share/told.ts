import { type Fields, recordAt } from "../chat/fields";
import type { RunEvent } from "../stream/run";

/** An event for visitors, which has little in it, in the words of those for builders. */
export function told(event: RunEvent, failed: (code: number, message: string) => string): RunEvent {
  return { ...event, data: { ...event.data, ...more(event, failed) } };
}

function more({ name, data }: RunEvent, failed: (code: number, message: string) => string): Fields {
  const id = data["run_id"];
  switch (name) {
    case "run.requires_action":
      return { run: { id, waits_for: { calls: data["calls"], asked: data["asked"] } } };
    case "run.failed": {
      const code = Number(data["code"] ?? 0);
      return { run: { id, error: { code, message: failed(code, String(data["message"] ?? "")) } } };
    }
    case "message.completed": {
      const message = recordAt(data, "message");
      const citations = { cards: message["sources"] };
      return { message: { ...message, kind: message["type"], citations } };
    }
    default:
      return id === undefined ? {} : { run: { id } };
  }
}
