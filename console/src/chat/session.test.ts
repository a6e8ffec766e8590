import { expect, test, vi } from "vitest";
import type { ChatClient, Page, Stored } from "./client";
import { ChatSession } from "./session";
import { textOf } from "./turn";

const CLIENT: ChatClient = {
  ask: () => Promise.resolve({ runId: "r", conversationId: "c", messageId: "m" }),
  repeats: false,
  open: () => () => Promise.reject(new Error("gone")),
  isFinal: () => true,
  cancel: () => Promise.resolve(),
  submit: () => Promise.resolve(),
  history: () => Promise.resolve({ messages: [], earlier: undefined }),
};

test("what is being written stays with its conversation", async () => {
  const session = new ChatSession(CLIENT);
  await session.show("a");
  session.draft.keep("half a quest");
  await session.show("b");
  expect(session.draft.text()).toBe("");
  session.draft.keep("other");
  await session.show("a");
  expect(session.draft.text()).toBe("half a quest");
  session.draft.keep("");
  expect(session.draft.text()).toBe("");
});

test("what was begun before a conversation has its name goes along", async () => {
  const session = new ChatSession(CLIENT);
  const asked = session.ask("Hello");
  session.draft.keep("And then");
  await asked;
  expect([session.state.conversationId, session.draft.text()]).toEqual(["c", "And then"]);
  await session.show(undefined);
  expect(session.draft.text()).toBe("");
});

test("what was said earlier comes before the rest, and a turn on the edge stays whole", async () => {
  const said = (id: string, kind: "question" | "answer", runId: string): Stored => ({
    id,
    runId,
    kind,
    text: id,
    reasoning: "",
    files: [],
    sources: [],
    isBroken: false,
    at: 1,
    verdict: undefined,
  });
  const pages: Record<string, Page> = {
    "": { messages: [said("a2", "answer", "2"), said("q3", "question", "3")], earlier: "a2" },
    a2: {
      messages: [
        said("q1", "question", "1"),
        said("a1", "answer", "1"),
        said("q2", "question", "2"),
      ],
      earlier: undefined,
    },
  };
  const history = vi.fn((_: string, cursor = "") =>
    Promise.resolve(pages[cursor] ?? { messages: [], earlier: undefined }),
  );
  const session = new ChatSession({ ...CLIENT, history });
  await session.show("a");
  expect(session.state.earlier).toBe("a2");
  await Promise.all([session.showEarlier(), session.showEarlier()]);
  expect(session.state.turns.map((turn) => [turn.question?.text, textOf(turn)])).toEqual([
    ["q1", "a1"],
    ["q2", "a2"],
    ["q3", ""],
  ]);
  expect(session.state.earlier).toBeUndefined();
  await session.showEarlier();
  expect(history).toHaveBeenCalledTimes(2);
});

test("what was said of an answer is there again with it", async () => {
  const said = {
    runId: "0",
    text: "",
    reasoning: "",
    files: [],
    sources: [],
    isBroken: false,
    at: 1,
  };
  const messages: readonly Stored[] = [
    { ...said, id: "q1", kind: "question", verdict: undefined },
    { ...said, id: "a1", kind: "answer", verdict: "unlike" },
  ];
  const history = () => Promise.resolve({ messages, earlier: undefined });
  const session = new ChatSession({ ...CLIENT, history });
  await session.show("a");
  expect(session.state.turns.map(({ verdict }) => verdict)).toEqual(["unlike"]);
});
