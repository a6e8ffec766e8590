/** Vercel's AI SDK: responses by two of its providers, completions by the one for others. */
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Output, generateText, stepCountIs, streamText, tool } from "ai";
import {
  ADDRESS, AGENT, City, Place, QUESTION, TOKEN, WEATHER, WHERE, joined, main, weather,
} from "./task.mjs";

const settings = { baseURL: ADDRESS, apiKey: TOKEN };
const named = (agent) => ({
  responses: createOpenAI(settings)(agent),
  "open responses": createOpenResponses({
    name: "coterie",
    url: `${ADDRESS}/responses`,
    apiKey: TOKEN,
  })(agent),
  "chat of openai": createOpenAI(settings).chat(agent),
  chat: createOpenAICompatible({ name: "coterie", ...settings })(agent),
  "chat with schemas": createOpenAICompatible({
    name: "coterie",
    supportsStructuredOutputs: true,
    includeUsage: true,
    ...settings,
  })(agent),
});
const models = named(AGENT);
const unknown = named("nobody");
const get_weather = tool({ description: "Weather.", inputSchema: City, execute: weather });

function tasks(api, model, nobody) {
  const common = { model, maxRetries: 0, onError: () => {} };
  const tooled = { ...common, prompt: WEATHER, tools: { get_weather }, stopWhen: stepCountIs(5) };
  const placed = { ...common, prompt: WHERE, output: Output.object({ schema: Place }) };
  return {
    [`${api}/answer`]: async () => (await generateText({ ...common, prompt: QUESTION })).text,
    [`${api}/answer streamed`]: () =>
      joined(streamText({ ...common, prompt: QUESTION }).textStream),
    [`${api}/tool`]: async () => {
      const done = await generateText(tooled);
      if (done.steps.length !== 2) throw new Error(`${done.steps.length} steps`);
      return done.text;
    },
    [`${api}/tool streamed`]: async () => {
      const stream = streamText(tooled);
      const kinds = new Set();
      for await (const { type, error } of stream.stream) {
        kinds.add(type);
        if (error) throw error;
      }
      if (!kinds.has("tool-call")) throw new Error([...kinds].join());
      return stream.text;
    },
    [`${api}/refused`]: async () => {
      try {
        await generateText({ ...common, model: nobody, prompt: QUESTION });
      } catch (error) {
        if (!error.message.includes("nobody")) throw error;
        return error.statusCode;
      }
    },
    [`${api}/structured`]: async () => (await generateText(placed)).output,
    [`${api}/structured streamed`]: async () => {
      const stream = streamText(placed);
      let last;
      for await (const partial of stream.partialOutputStream) last = partial;
      return last;
    },
  };
}

await main(
  Object.assign({}, ...Object.entries(models).map(([api, model]) => tasks(api, model, unknown[api]))),
);
