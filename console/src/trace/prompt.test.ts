import { expect, test } from "vitest";
import { curlOf, parsed, promptOf, sameBeginning, sharesOf } from "./prompt";

const WEATHER = { type: "object", properties: { city: { type: "string" } } };

const OPENAI = {
  model: "gpt",
  temperature: 0.2,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Weather?" }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "rain" },
  ],
  tools: [
    { type: "function", function: { name: "weather", description: "Tells.", parameters: WEATHER } },
  ],
};
const ANTHROPIC = {
  model: "claude",
  temperature: 0.2,
  system: [{ type: "text", text: "Be brief." }],
  messages: [
    { role: "user", content: "Weather?" },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "weather", input: { city: "Oslo" } }],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "rain" }] },
      ],
    },
  ],
  tools: [{ name: "weather", description: "Tells.", input_schema: WEATHER }],
};
const GEMINI = {
  temperature: 0.2,
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [
    { role: "user", parts: [{ text: "Weather?" }] },
    {
      role: "model",
      parts: [{ functionCall: { id: "c1", name: "weather", args: { city: "Oslo" } } }],
    },
    { role: "user", parts: [{ functionResponse: { name: "c1", response: "rain" } }] },
  ],
  tools: [
    { functionDeclarations: [{ name: "weather", description: "Tells.", parameters: WEATHER }] },
  ],
};

test.each([
  ["OpenAI", OPENAI],
  ["Anthropic", ANTHROPIC],
  ["Gemini", GEMINI],
])("a request of %s reads as the same conversation", (_, body) => {
  const prompt = promptOf(JSON.stringify(body));
  expect(prompt?.messages.map(({ role, parts }) => [role, parts])).toEqual([
    ["system", [{ kind: "text", text: "Be brief." }]],
    ["user", [{ kind: "text", text: "Weather?" }]],
    ["assistant", [{ kind: "call", id: "c1", name: "weather", value: { city: "Oslo" } }]],
    ["tool", [{ kind: "result", id: "c1", value: "rain" }]],
  ]);
  expect(prompt?.tools).toMatchObject([
    { name: "weather", description: "Tells.", schema: WEATHER },
  ]);
  expect(prompt?.parameters).toMatchObject({ temperature: 0.2 });
});

test("a body that was cut is no prompt", () => {
  expect(promptOf('{"messages": [{"role": "us…[9 bytes left out]')).toBeUndefined();
  expect(promptOf('{"input": ["text"]}')).toBeUndefined();
});

test("a prompt knows its parts, and what it has in common with another", () => {
  const prompt = promptOf(JSON.stringify(OPENAI));
  const before = promptOf(JSON.stringify({ ...OPENAI, messages: OPENAI.messages.slice(0, 2) }));
  expect(prompt && sharesOf(prompt).map((share) => share.kind)).toEqual([
    "system",
    "tools",
    "history",
    "results",
    "question",
  ]);
  expect(prompt && before && sameBeginning(prompt, before)).toBe(2);
});

test("memory and knowledge in the instructions are parts of their own, to the character", () => {
  const knowledge =
    'Not instructions.\n<knowledge-4f>\n---\nrecall slice 1 [a]: "x"\n</knowledge-4f>';
  const memory = "Remembered.\n<memories>\n- 2026-01-01 (fact): Likes tea.\n</memories>";
  const noted = "Noted.\n<variables>\n- mood: &lt;/variables>\n</variables>";
  const content = ["Be brief.", noted, memory, knowledge, "It is noon."].join("\n\n");
  const whole = { role: "system", content };
  const without = { role: "system", content: "Be brief.\n\n\n\n\n\n\n\nIt is noon." };
  const asks = { role: "user", content: "<knowledge>\nmine\n</knowledge>" };
  const prompt = promptOf(JSON.stringify({ messages: [whole, asks] }));
  const sizes = Object.fromEntries(
    (prompt ? sharesOf(prompt) : []).map(({ kind, size }) => [kind, size]),
  );
  const length = (text: string) => JSON.stringify(text).length - 2;
  expect(sizes).toEqual({
    system: JSON.stringify(without).length,
    memory: length(memory) + length(noted),
    knowledge: length(knowledge),
    question: JSON.stringify(asks).length,
  });
});

test.each([
  ["OpenAI", (text: string) => ({ messages: [{ role: "tool", content: text }] })],
  [
    "Anthropic",
    (text: string) => ({
      messages: [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text }] },
            { type: "tool_result", tool_use_id: "c2", content: "rain" },
          ],
        },
      ],
    }),
  ],
  [
    "Gemini",
    (text: string) => ({
      contents: [
        { role: "user", parts: [{ functionResponse: { name: "f", response: { result: text } } }] },
      ],
    }),
  ],
])("knowledge that a tool found is knowledge, what is around it a result: %s", (_, bodyOf) => {
  const knowledge =
    'Not instructions.\n<knowledge-4f>\n---\nrecall slice 1 [a]: "x"\n</knowledge-4f>';
  const again = "\nFound again: recall slices 2, as given above.";
  const sharesIn = (text: string) => {
    const prompt = promptOf(JSON.stringify(bodyOf(text)));
    const shares = prompt ? sharesOf(prompt) : [];
    return Object.fromEntries(shares.map(({ kind, size }) => [kind, size]));
  };

  expect(sharesIn(knowledge + again)).toEqual({
    knowledge: JSON.stringify(knowledge).length - 2,
    results: sharesIn(again)["results"],
  });
});

test("a command keeps quotes in the body and no key", () => {
  const command = curlOf(`{"a":"it's"}`, "anthropic", "claude");
  expect(command).toContain(`"$BASE_URL/v1/messages"`);
  expect(command).toContain(`-d '{"a":"it'\\''s"}'`);
  expect(command).toContain("x-api-key: $API_KEY");
});

test("ids keep all their digits, and texts stay as they are", () => {
  expect(
    parsed('{"id": 7530778286964604928, "text": "see: 7530778286964604928, \\"x\\"", "n": 1.5}'),
  ).toEqual({
    id: "7530778286964604928",
    text: 'see: 7530778286964604928, "x"',
    n: 1.5,
  });
  expect(parsed("{")).toBeUndefined();
});
