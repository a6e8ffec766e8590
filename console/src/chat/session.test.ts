import { expect, test } from "vitest";
import type { ChatClient } from "./client";
import { ChatSession } from "./session";

const CLIENT: ChatClient = {
  ask: () => Promise.resolve({ runId: "r", conversationId: "c", messageId: "m" }),
  repeats: false,
  open: () => () => Promise.reject(new Error("gone")),
  isFinal: () => true,
  cancel: () => Promise.resolve(),
  submit: () => Promise.resolve(),
  history: () => Promise.resolve([]),
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
