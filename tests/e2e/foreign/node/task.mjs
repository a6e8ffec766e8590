/** Tasks of a program that stands for a foreign client: each is done, and its result printed. */
import { z } from "zod";

export const {
  COTERIE_AGENT: AGENT,
  COTERIE_BASE_URL: SERVER,
  COTERIE_TOKEN: TOKEN,
  COTERIE_TOOL_AGENT: TOOL_AGENT,
  COTERIE_WORKFLOW: WORKFLOW,
  COTERIE_WORKSPACE: WORKSPACE,
  OPENAI_BASE_URL: ADDRESS,
} = process.env;
export const QUESTION = "How often is the oil changed?";
export const WEATHER = "What is the weather in Oslo?";
export const WHERE = "Which place do I mean?";

export const Place = z.object({ city: z.string(), degrees: z.number().int() });
export const City = z.object({ city: z.string() });

export const weather = ({ city }) => `Sunny in ${city}`;

/** A question to an agent, as Coze's library asks it. */
export const asked = (bot_id, content) => ({
  bot_id,
  user_id: "ada",
  additional_messages: [{ role: "user", content, content_type: "text" }],
});

/** The text of a stream. */
export async function joined(pieces) {
  let text = "";
  for await (const piece of pieces) text += piece ?? "";
  return text;
}

/** Do all tasks, one after the other; one that fails does not keep the others. */
export async function main(tasks) {
  for (const [task, run] of Object.entries(tasks)) {
    try {
      console.log(JSON.stringify({ task, result: await run() }));
    } catch (error) {
      const told = `${error.stack} ${error.responseBody ?? ""} ${error.cause?.stack ?? ""}`;
      console.log(JSON.stringify({ task, error: told }));
    }
  }
}
