import type { Stored } from "./client";
import { asRecord, numberAt, textAt } from "./fields";
import { type Item, newTurn, type Source, type Turn } from "./turn";

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
    sources: sourcesIn(message.citations),
  };
  const next: Turn = {
    ...last,
    state: "completed",
    items: [...last.items, text],
    answerId: message.id,
  };
  turns.splice(Math.max(turns.length - 1, 0), 1, next);
}

/** The cards that a stored answer carries as JSON; none where that cannot be read. */
function sourcesIn(cards: string): Source[] {
  if (!cards) return [];
  try {
    const read: unknown = JSON.parse(cards);
    if (!Array.isArray(read)) return [];
    return read.map((each) => {
      const card = asRecord(each);
      return {
        n: numberAt(card, "n"),
        documentId: textAt(card, "document_id"),
        name: textAt(card, "document_name"),
        page: numberAt(card, "page") || undefined,
        quote: textAt(card, "quote"),
      };
    });
  } catch {
    return [];
  }
}
