/** Coze's own library: chats whole and streamed, tools of the client, workflows, files. */
import { createReadStream, writeFileSync } from "node:fs";
import { ChatEventType, ChatStatus, CozeAPI } from "@coze/api";
import { AGENT, QUESTION, SERVER, TOKEN, TOOL_AGENT, WEATHER, WORKFLOW, asked, main, weather } from "./task.mjs";

const client = new CozeAPI({ baseURL: SERVER, token: TOKEN });

/** Read a stream; return the text of the answer and the chat as last told. */
async function read(stream) {
  let text = "";
  let chat;
  for await (const { event, data } of stream) {
    if (event === ChatEventType.CONVERSATION_MESSAGE_DELTA) text += data.content;
    if (event.startsWith("conversation.chat.")) chat = data;
  }
  return { text, chat };
}

const outputs = (chat) => ({
  conversation_id: chat.conversation_id,
  chat_id: chat.id,
  tool_outputs: chat.required_action.submit_tool_outputs.tool_calls.map(
    ({ id, function: { arguments: given } }) => ({
      tool_call_id: id,
      output: weather(JSON.parse(given)),
    }),
  ),
});

await main({
  "coze/answer": async () => {
    const { messages } = await client.chat.createAndPoll(asked(AGENT, QUESTION));
    return messages.find(({ type }) => type === "answer").content;
  },
  "coze/answer streamed": async () =>
    (await read(client.chat.stream(asked(AGENT, QUESTION)))).text,
  "coze/tool": async () => {
    const waiting = await client.chat.createAndPoll(asked(TOOL_AGENT, WEATHER));
    const { conversation_id, id } = waiting.chat;
    // A generator also where it streams nothing.
    await client.chat.submitToolOutputs({ ...outputs(waiting.chat), stream: false }).next();
    while ((await client.chat.retrieve(conversation_id, id)).status === ChatStatus.IN_PROGRESS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const messages = await client.chat.messages.list(conversation_id, id);
    return messages.filter(({ type }) => type === "answer").at(-1).content;
  },
  "coze/tool streamed": async () => {
    const { chat } = await read(client.chat.stream(asked(TOOL_AGENT, WEATHER)));
    return (await read(client.chat.submitToolOutputs({ ...outputs(chat), stream: true }))).text;
  },
  "coze/workflow": async () => {
    const run = await client.workflows.runs.create({
      workflow_id: WORKFLOW,
      parameters: { input: "spring" },
    });
    return JSON.parse(run.data);
  },
  "coze/file": async () => {
    writeFileSync("pumps.txt", "Pumps run on oil.");
    const { id } = await client.files.upload({ file: createReadStream("pumps.txt") });
    return (await client.files.retrieve(id)).file_name;
  },
});
