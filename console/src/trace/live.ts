import type { Span } from "./layout";
import { textOf } from "./prompt";

type Told = Readonly<Record<string, unknown>>;

/** Puts the spans of a run together while it goes on; what was said comes with its trace. */
export class LiveSpans {
  private readonly spans = new Map<string, { told: Told; startedAt: number }>();

  take(told: Told): void {
    const startedAt = told["started_at_us"];
    if (typeof startedAt !== "number") return;
    this.spans.set(textOf(told["id"]), { told, startedAt });
  }

  /** The steps so far, in the order of their starts; what goes on reaches until now. */
  view(nowUs: number): readonly Span[] {
    const all = [...this.spans.values()].toSorted((one, other) => one.startedAt - other.startedAt);
    const first = all[0]?.startedAt ?? 0;
    return all.map(({ told, startedAt }) => {
      const took = told["duration_us"];
      return {
        id: textOf(told["id"]),
        parent_id: textOf(told["parent_id"]) || null,
        run_id: textOf(told["run_id"]),
        kind: textOf(told["kind"]),
        name: textOf(told["name"]),
        start_us: startedAt - first,
        duration_us: typeof took === "number" ? took : Math.max(0, nowUs - startedAt),
        status: textOf(told["status"]) || "running",
        error_code: 0,
        error: "",
        attributes: {},
        input: null,
        output: null,
        usage: null,
        cost: "0",
        links: [],
      };
    });
  }
}
