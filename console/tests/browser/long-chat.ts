import type { Server } from "./server";

type Conversation = { data: { id: string } };

/** A conversation with so many messages, question and answer in turn; returns its id. */
export async function longChat(server: Server, agent: string, count: number): Promise<string> {
  const { data } = await server.call<Conversation>("POST", "/v1/conversation/create", {
    bot_id: agent,
  });
  const path = `/v1/conversation/message/create?conversation_id=${data.id}`;
  for (let number = 1; number <= count; number += 1) {
    const isQuestion = number % 2 === 1;
    await server.call("POST", path, {
      role: isQuestion ? "user" : "assistant",
      content: isQuestion ? `Question ${number}` : answer(number),
      content_type: "text",
    });
  }
  return data.id;
}

/** Answers are not all of one height. */
function answer(number: number): string {
  const lines = Array.from({ length: 1 + (number % 5) }, (_, line) => `- point ${line} of it`);
  return `Answer ${number}\n\n${lines.join("\n")}\n\nSo much for **${number}**.`;
}
