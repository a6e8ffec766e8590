import { isRecord, readJson } from "../json/json";
/** A piece of a message. */
export type Part =
  | { kind: "text"; text: string }
  | { kind: "thoughts"; text: string }
  | { kind: "call"; id: string; name: string; value: unknown }
  | { kind: "result"; id: string; value: unknown }
  | { kind: "other"; value: unknown };

export type Message = { role: string; parts: readonly Part[]; size: number; key: string };
type Tool = { name: string; description: string; schema: unknown; size: number };

/** A request to a model, whichever provider's words it is in. */
export type Prompt = {
  messages: readonly Message[];
  tools: readonly Tool[];
  /** What is neither messages nor tools. */
  parameters: Readonly<Record<string, unknown>>;
  body: unknown;
};

type Fields = Readonly<Record<string, unknown>>;

const CONTENT = new Set([
  "messages",
  "system",
  "contents",
  "system_instruction",
  "systemInstruction",
  "tools",
]);

/** Reads the body of a request of OpenAI, Anthropic, Gemini or Ollama; nothing if it was cut. */
export function promptOf(body: string): Prompt | undefined {
  const fields = fieldsOf(parsed(body));
  if (!fields) return undefined;
  const turns = listOf(fields["messages"]) ?? listOf(fields["contents"]);
  if (!turns) return undefined;
  const system = fields["system"] ?? fields["system_instruction"] ?? fields["systemInstruction"];
  const messages = [
    ...(system === undefined ? [] : [messageOf({ role: "system", content: system })]),
    ...turns.flatMap((turn) => {
      const found = fieldsOf(turn);
      return found ? [messageOf(found)] : [];
    }),
  ];
  const parameters = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !CONTENT.has(name)),
  );
  return { messages, tools: toolsOf(fields["tools"]), parameters, body: fields };
}

/** Texts, and numbers that are too long to be numbers here: ids. */
const TEXT_OR_ID = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Reads JSON, with ids as texts, which they would not survive as numbers. */
export function parsed(text: string): unknown {
  return readJson(
    text.replace(TEXT_OR_ID, (found) => (found.startsWith('"') ? found : `"${found}"`)),
  );
}

function messageOf(turn: Fields): Message {
  const parts = [
    ...partsOf(turn["content"] ?? turn["parts"], turn),
    ...(listOf(turn["tool_calls"]) ?? []).flatMap(callOf),
  ];
  const key = JSON.stringify(turn);
  const said = textOf(turn["role"]) || "user";
  const isResult = parts.length > 0 && parts.every((part) => part.kind === "result");
  const role = isResult ? "tool" : said === "model" ? "assistant" : said;
  return { role, parts, size: key.length, key };
}

function partsOf(content: unknown, turn: Fields): readonly Part[] {
  if (turn["role"] === "tool")
    return [{ kind: "result", id: textOf(turn["tool_call_id"]), value: plain(content) }];
  if (typeof content === "string") return content ? [{ kind: "text", text: content }] : [];
  const items = listOf(content) ?? listOf(fieldsOf(content)?.["parts"]);
  return items?.map(partOf) ?? [];
}

function partOf(item: unknown): Part {
  if (typeof item === "string") return { kind: "text", text: item };
  const fields = fieldsOf(item);
  if (!fields) return { kind: "other", value: item };
  const { type, text } = fields;
  const call = fieldsOf(fields["functionCall"]) ?? fieldsOf(fields["function_call"]);
  const answer = fieldsOf(fields["functionResponse"]) ?? fieldsOf(fields["function_response"]);
  if (call)
    return {
      kind: "call",
      id: textOf(call["id"]),
      name: textOf(call["name"]),
      value: call["args"],
    };
  if (answer) return { kind: "result", id: textOf(answer["name"]), value: answer["response"] };
  if (type === "tool_use")
    return {
      kind: "call",
      id: textOf(fields["id"]),
      name: textOf(fields["name"]),
      value: fields["input"],
    };
  if (type === "tool_result")
    return { kind: "result", id: textOf(fields["tool_use_id"]), value: plain(fields["content"]) };
  if (type === "thinking") return { kind: "thoughts", text: textOf(fields["thinking"]) };
  if (typeof text === "string" && (type === undefined || type === "text"))
    return { kind: "text", text };
  return { kind: "other", value: item };
}

function callOf(item: unknown): readonly Part[] {
  const fields = fieldsOf(item);
  const called = fieldsOf(fields?.["function"]);
  if (!fields || !called) return [];
  const given = called["arguments"];
  const value = typeof given === "string" ? (parsed(given) ?? given) : given;
  return [{ kind: "call", id: textOf(fields["id"]), name: textOf(called["name"]), value }];
}

/** Texts as they are, whichever list they are wrapped in. */
function plain(content: unknown): unknown {
  const items = listOf(content);
  const texts = items?.map((item) => fieldsOf(item)?.["text"]);
  return texts?.every((text) => typeof text === "string") ? texts.join("\n") : content;
}

function toolsOf(tools: unknown): readonly Tool[] {
  return (listOf(tools) ?? []).flatMap((tool) => {
    const fields = fieldsOf(tool);
    if (!fields) return [];
    const declared =
      listOf(fields["functionDeclarations"]) ?? listOf(fields["function_declarations"]);
    return (declared ?? [fields["function"] ?? fields]).flatMap((each) => {
      const found = fieldsOf(each);
      if (!found) return [];
      return [
        {
          name: textOf(found["name"]),
          description: textOf(found["description"]),
          schema: found["parameters"] ?? found["input_schema"] ?? found["parametersJsonSchema"],
          size: JSON.stringify(each).length,
        },
      ];
    });
  });
}

const SHARES = [
  "system",
  "memory",
  "knowledge",
  "tools",
  "history",
  "results",
  "question",
] as const;
export type Share = { kind: (typeof SHARES)[number]; size: number };

/**
 * What the server puts into instructions between tags, with the line that explains it. Inside, it
 * escapes what looks like its tags, so that the first closing one is the right one.
 */
const SECTION =
  /(?:[^\n]*\n)?<(knowledge(?:-[0-9a-f]+)?|memories|variables|summary)>\n[\s\S]*?\n<\/\1>/g;

/** What a prompt is made of, by the length of each part; the last message of the user asks. */
export function sharesOf(prompt: Prompt): readonly Share[] {
  const asking = prompt.messages.findLastIndex((message) => message.role === "user");
  const sizes = new Map<Share["kind"], number>();
  const add = (kind: Share["kind"], size: number) => sizes.set(kind, (sizes.get(kind) ?? 0) + size);
  for (const tool of prompt.tools) add("tools", tool.size);
  prompt.messages.forEach((message, index) => {
    const { role, size } = message;
    const isTool = role === "tool";
    if (isTool || role === "system" || role === "developer") {
      const brought = broughtBy(message);
      for (const section of brought) add(section.kind, section.size);
      const rest = size - brought.reduce((sum, section) => sum + section.size, 0);
      add(isTool ? "results" : "system", rest);
    } else add(index === asking ? "question" : "history", size);
  });
  return SHARES.flatMap((kind) => {
    const size = sizes.get(kind);
    return size ? [{ kind, size }] : [];
  });
}

/**
 * Knowledge, and what is remembered of the user and of the conversation: in instructions, or found
 * by a tool with which the model searches.
 */
function broughtBy({ parts }: Message): readonly Share[] {
  return parts.flatMap(textsOf).flatMap((text) =>
    Array.from(text.matchAll(SECTION), ([section, tag = ""]) => ({
      kind: tag.startsWith("knowledge") ? "knowledge" : "memory",
      size: JSON.stringify(section).length - 2,
    })),
  );
}

/** The texts of a part as they were given; Gemini has those of results in an object. */
function textsOf(part: Part): readonly string[] {
  if (part.kind === "text") return [part.text];
  if (part.kind !== "result") return [];
  const values = [part.value, ...Object.values(fieldsOf(part.value) ?? {})];
  return values.filter((value) => typeof value === "string");
}

/** How many messages both prompts begin with. */
export function sameBeginning(one: Prompt, other: Prompt): number {
  const differs = one.messages.findIndex((each, index) => each.key !== other.messages[index]?.key);
  return differs < 0 ? one.messages.length : differs;
}

/** A command that sends the same body again; address and key come from the environment. */
export function curlOf(body: string, provider: string, model: string): string {
  const { path, key, more = [] } = ENDS[provider] ?? OPENAI;
  const headers = [key, ...more, "Content-Type: application/json"];
  return [
    `curl -N "$BASE_URL${path.replace("{model}", encodeURIComponent(model))}"`,
    ...headers.map((header) => `-H "${header}"`),
    `-d '${body.replaceAll("'", "'\\''")}'`,
  ].join(" \\\n  ");
}

/** A program that sends the same body again, with nothing but Python's own library. */
export function pythonOf(body: string, provider: string, model: string): string {
  const { path, key, more = [] } = ENDS[provider] ?? OPENAI;
  const headers = [key, ...more, "Content-Type: application/json"].map((header) => {
    const [name = "", value = ""] = header.split(/: (.*)/);
    const written = JSON.stringify(value).replace("$API_KEY", "{os.environ['API_KEY']}");
    return `        ${JSON.stringify(name)}: ${written.includes("{os.") ? "f" : ""}${written},`;
  });
  return [
    "import os",
    "import urllib.request",
    "",
    `BODY = ${literalOf(body)}`,
    "",
    "request = urllib.request.Request(",
    `    os.environ["BASE_URL"] + ${JSON.stringify(path.replace("{model}", encodeURIComponent(model)))},`,
    '    data=BODY.encode("utf-8"),',
    "    headers={",
    ...headers,
    "    },",
    ")",
    "with urllib.request.urlopen(request, timeout=300) as answer:",
    "    for line in answer:",
    '        print(line.decode("utf-8"), end="")',
    "",
  ].join("\n");
}

/** A text as Python reads it back, to the byte: JSON's escapes are Python's but for lone halves. */
function literalOf(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

type End = { path: string; key: string; more?: readonly string[] };

const OPENAI: End = { path: "/chat/completions", key: "Authorization: Bearer $API_KEY" };
const ENDS: Readonly<Record<string, End>> = {
  anthropic: {
    path: "/v1/messages",
    key: "x-api-key: $API_KEY",
    more: ["anthropic-version: 2023-06-01"],
  },
  gemini: {
    path: "/v1beta/models/{model}:streamGenerateContent?alt=sse",
    key: "x-goog-api-key: $API_KEY",
  },
  ollama: { path: "/api/chat", key: "Authorization: Bearer $API_KEY" },
};

export function fieldsOf(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
