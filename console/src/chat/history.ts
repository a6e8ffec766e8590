import type { Stored } from "./client";
import { type Item, newTurn, type Turn } from "./turn";

/** Turns as stored messages tell them: questions and answers, without steps. */
export function turnsOf(messages: readonly Stored[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const isSame = message.runId !== "0" && last?.runId === message.runId;
    if (message.kind === "question" && !(isSame && last?.question)) turns.push(asked(message));
    else if (message.kind === "question" && last) turns[turns.length - 1] = joined(last, message);
    else if (message.kind === "answer") answer(turns, message);
  }
  return turns;
}

/** Older turns before those that are there; one that lies on the edge of two pages is one again. */
export function continued(older: readonly Turn[], turns: readonly Turn[]): Turn[] {
  const last = older.at(-1);
  const [first, ...rest] = turns;
  if (!last || !first || first.question) return [...older, ...turns];
  const whole = { ...first, question: last.question, items: [...last.items, ...first.items] };
  return [...older.slice(0, -1), { ...whole, runId: first.runId ?? last.runId }, ...rest];
}

function asked(message: Stored): Turn {
  const turn = newTurn(message.id, message.text);
  return {
    ...turn,
    runId: message.runId === "0" ? undefined : message.runId,
    question: { messageId: message.id, text: message.text, files: message.files },
    state: "completed",
    at: message.at,
  };
}

function joined(turn: Turn, message: Stored): Turn {
  const before = turn.question?.text ?? "";
  return {
    ...turn,
    question: {
      messageId: message.id,
      text: `${before}\n\n${message.text}`,
      files: [...(turn.question?.files ?? []), ...message.files],
    },
  };
}

function answer(turns: Turn[], message: Stored): void {
  const last = turns.at(-1) ?? { ...newTurn(message.id, ""), question: undefined };
  const text: Item = {
    kind: "text",
    id: message.id,
    text: message.text,
    reasoning: message.reasoning,
    reasoningMs: undefined,
    isDone: true,
    sources: message.sources,
    files: message.files,
    isBroken: message.isBroken,
  };
  const next: Turn = {
    ...last,
    state: "completed",
    items: [...last.items, text],
    answerId: message.id,
    verdict: message.verdict,
  };
  turns.splice(Math.max(turns.length - 1, 0), 1, next);
}
