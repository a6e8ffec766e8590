/** OpenAI's own library: tools that it runs itself, parsed answers, responses. */
import OpenAI, { NotFoundError, toFile } from "openai";
import { zodResponseFormat, zodResponsesFunction, zodTextFormat } from "openai/helpers/zod";
import { toJSONSchema } from "zod";
import {
  ADDRESS, AGENT, City, Place, QUESTION, TOKEN, WEATHER, WHERE, joined, main, weather,
} from "./task.mjs";

const client = new OpenAI({ baseURL: ADDRESS, apiKey: TOKEN, maxRetries: 0 });
const user = (content) => [{ role: "user", content }];
const asked = (content, more) => ({ model: AGENT, messages: user(content), ...more });
const tool = {
  type: "function",
  function: {
    name: "get_weather",
    parse: JSON.parse,
    parameters: toJSONSchema(City),
    function: weather,
  },
};
const place = zodResponseFormat(Place, "place");
const flat = zodResponsesFunction({ name: "get_weather", parameters: City });

async function loop(ask, isStored) {
  let input = user(WEATHER);
  let previous;
  for (;;) {
    const done = await ask({ model: AGENT, input, tools: [flat], ...previous });
    const outputs = done.output
      .filter(({ type }) => type === "function_call")
      .map(({ call_id, arguments: given }) => ({
        type: "function_call_output",
        call_id,
        output: weather(JSON.parse(given)),
      }));
    if (outputs.length === 0) return done.output_text;
    input = isStored ? outputs : [...input, ...done.output, ...outputs];
    previous = isStored ? { previous_response_id: done.id } : { store: false };
  }
}

await main({
  "chat/answer": async () =>
    (await client.chat.completions.create(asked(QUESTION))).choices[0].message.content,
  "chat/answer streamed": async () => {
    const chunks = await client.chat.completions.create(asked(QUESTION, { stream: true }));
    let text = "";
    for await (const { choices } of chunks) text += choices[0]?.delta.content ?? "";
    return text;
  },
  "chat/tool": () =>
    client.chat.completions.runTools(asked(WEATHER, { tools: [tool] })).finalContent(),
  "chat/tool streamed": async () => {
    const runner = client.chat.completions.runTools(
      asked(WEATHER, { tools: [tool], stream: true }),
    );
    let text = "";
    runner.on("content", (piece) => (text += piece)).on("functionToolCall", () => (text = ""));
    const said = await runner.finalContent();
    if (text !== said) throw new Error(`streamed ${text}, said ${said}`);
    return said;
  },
  "chat/structured": async () => {
    const done = await client.chat.completions.parse(asked(WHERE, { response_format: place }));
    return done.choices[0].message.parsed;
  },
  "chat/structured streamed": async () => {
    const stream = client.chat.completions.stream(asked(WHERE, { response_format: place }));
    return (await stream.finalChatCompletion()).choices[0].message.parsed;
  },
  "responses/answer": async () =>
    (await client.responses.create({ model: AGENT, input: QUESTION })).output_text,
  "responses/answer streamed": async () => {
    const stream = client.responses.stream({ model: AGENT, input: QUESTION });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => (text += delta));
    const done = await stream.finalResponse();
    if (done.output_text !== text) throw new Error(`streamed ${text}`);
    return text;
  },
  "responses/structured": async () =>
    (await client.responses.parse({
      model: AGENT,
      input: WHERE,
      text: { format: zodTextFormat(Place, "place") },
    })).output_parsed,
  "responses/structured streamed": async () => {
    const stream = client.responses.stream({
      model: AGENT,
      input: WHERE,
      text: { format: zodTextFormat(Place, "place") },
    });
    return (await stream.finalResponse()).output_parsed;
  },
  "responses/tool": () => loop((body) => client.responses.parse(body), true),
  "responses/tool streamed": () =>
    loop((body) => client.responses.stream(body).finalResponse(), true),
  "responses/tool without a store": () => loop((body) => client.responses.parse(body), false),
  "responses/answer in the background, read on from the middle": async () => {
    const asked = { model: AGENT, input: QUESTION, background: true, stream: true };
    let id, last;
    let text = "";
    for await (const event of await client.responses.create(asked)) {
      id ??= event.response?.id;
      last = event.sequence_number;
      if (event.type !== "response.output_text.delta") continue;
      text += event.delta;
      break;
    }
    for await (const event of await client.responses.retrieve(id, {
      stream: true,
      starting_after: last,
    })) {
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    return text;
  },
  "responses/answer, cancelled and deleted": async () => {
    const done = await client.responses.create({
      model: AGENT, input: QUESTION, background: true,
    });
    const stopped = await client.responses.cancel(done.id);
    if (!["cancelled", "completed"].includes(stopped.status)) throw new Error(stopped.status);
    const { data } = await client.responses.inputItems.list(done.id);
    if (data[0].content[0].text !== QUESTION) throw new Error(JSON.stringify(data));
    await client.responses.delete(done.id);
    try {
      await client.responses.retrieve(done.id);
    } catch (error) {
      if (error instanceof NotFoundError && error.code === "response_not_found") {
        return (await client.responses.create({ model: AGENT, input: QUESTION })).output_text;
      }
      throw error;
    }
    throw new Error("It is still there.");
  },
  "chat/refused": async () => {
    try {
      await client.chat.completions.create({ model: "nobody", messages: user(QUESTION) });
    } catch (error) {
      return error.status;
    }
  },
  "embeddings/vectors": async () => {
    const asked = { model: "offline-embedding", input: ["one", "two", "one"] };
    const packed = (await client.embeddings.create(asked)).data.map((each) => each.embedding);
    const plain = (await client.embeddings.create({ ...asked, encoding_format: "float" })).data;
    const near = (a, b) => a.every((value, at) => Math.abs(value - b[at]) < 1e-6);
    if (!plain.every(({ embedding, index }) => near(embedding, packed[index]))) {
      throw new Error("Packed vectors are others.");
    }
    return near(packed[0], packed[2]) && !near(packed[0], packed[1]);
  },
  "files/file": async () => {
    const file = await toFile(Buffer.from("Pumps run on oil."), "pumps.txt");
    const { id } = await client.files.create({ file, purpose: "user_data" });
    const bytes = await (await client.files.content(id)).text();
    if (bytes !== "Pumps run on oil.") throw new Error(bytes);
    const { filename } = await client.files.retrieve(id);
    if (!(await client.files.delete(id)).deleted) throw new Error("It is still there.");
    return filename;
  },
});
