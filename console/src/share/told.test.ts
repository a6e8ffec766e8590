import { describe, expect, test } from "vitest";
import { applied } from "../chat/apply";
import { newTurn, sourcesOf, type Turn, textOf } from "../chat/turn";
import { told } from "./told";

const failed = (code: number, message: string) => `${code}: ${message}`;

/** A turn after these events of a share link, in their order. */
function turnAfter(...events: readonly Record<string, unknown>[]): Turn {
  return events.reduce<Turn>(
    (turn, data, index) =>
      applied(turn, told({ seq: index + 1, name: String(data["type"]), data }, failed)),
    newTurn("one", "Hello"),
  );
}

const BEGAN = { type: "run.started", run_id: "7", at_ms: 1 };

describe("what a visitor is told", () => {
  test("is an answer with its sources, files and follow-up questions", () => {
    const message = {
      id: "9",
      type: "answer",
      text: "From pier 2 [1].",
      files: [{ name: "map.png", media_type: "image/png", url: "/f/1" }],
      sources: [{ n: 1, document_name: "Timetable", page: 3, url: "", quote: "pier 2" }],
      is_broken: true,
    };
    const turn = turnAfter(
      BEGAN,
      { type: "message.delta", message_id: "9", text: "From", reasoning: "" },
      { type: "message.completed", message },
      { type: "message.completed", message: { id: "10", type: "follow_up", text: "And back?" } },
      { type: "run.completed", run_id: "7", at_ms: 9 },
    );

    expect(textOf(turn)).toBe("From pier 2 [1].");
    expect(sourcesOf(turn)).toMatchObject([{ n: 1, name: "Timetable", page: 3 }]);
    expect(turn.items).toMatchObject([
      { isBroken: true, files: [{ name: "map.png", url: "/f/1", isImage: true }] },
    ]);
    expect(turn).toMatchObject({ runId: "7", state: "completed", answerId: "9" });
    expect(turn.followUps).toEqual(["And back?"]);
  });

  test("has names and numbers of steps, and nothing of what they were given", () => {
    const turn = turnAfter(
      BEGAN,
      { type: "knowledge.recalled", count: 4, is_failed: false, duration_ms: 12 },
      { type: "tool.started", call_id: "c", name: "get_weather" },
      { type: "tool.completed", call_id: "c", name: "get_weather", duration_ms: 5 },
    );

    expect(turn.items).toMatchObject([
      { kind: "search", count: 4, found: [] },
      { kind: "tool", name: "get_weather", input: "", output: "", ms: 5 },
    ]);
  });

  test("says what waits for leave", () => {
    const calls = [{ id: "c", name: "book", arguments: "" }];
    const turn = turnAfter(BEGAN, { type: "run.requires_action", run_id: "7", calls });

    expect(turn.state).toBe("waiting");
    expect(turn.waiting?.calls).toEqual([{ id: "c", name: "book", input: "" }]);
  });

  test("asks what one of several options, a form or access elsewhere answers", () => {
    const asked = (more: object) =>
      turnAfter(BEGAN, {
        type: "run.requires_action",
        run_id: "7",
        calls: [],
        asked: { text: "Which?", options: [], fields: [], url: "", ...more },
      }).waiting?.asked;

    expect(asked({ options: ["Bus", "Ferry"] })?.options).toEqual(["Bus", "Ferry"]);
    const field = { name: "day", type: "string", is_required: true };
    expect(asked({ fields: [field] })?.fields).toEqual([
      { name: "day", type: "string", isRequired: true, hint: "" },
    ]);
    expect(asked({ url: "https://sea.example" })?.url).toBe("https://sea.example");
    expect(asked({})).toBeUndefined();
  });

  test("says why a run failed, in the words of the page", () => {
    const turn = turnAfter(BEGAN, {
      type: "run.failed",
      run_id: "7",
      code: 4028,
      message: "Secret",
    });

    expect(turn.failed).toEqual({ code: 4028, message: "4028: Secret" });
  });
});
