export type Call = { key: string; name: string; install: string; code: string };

const QUESTION = "Hello";

/** A first call of a published agent, for a terminal and the client libraries. */
export function agentCalls(origin: string, agentId: string): readonly Call[] {
  return [
    {
      key: "curl",
      name: "curl",
      install: "",
      code: `curl -sSN ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $COTERIE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${agentId}", "stream": true,
       "messages": [{"role": "user", "content": "${QUESTION}"}]}'`,
    },
    {
      key: "python",
      name: "Python",
      install: "pip install coterie-client",
      code: `from coterie_client import Coterie

client = Coterie.from_env(base_url="${origin}")
for piece in client.chats.stream("${agentId}", "${QUESTION}").text():
    print(piece, end="", flush=True)`,
    },
    {
      key: "typescript",
      name: "TypeScript",
      install: "npm install @coterie/client",
      code: `import { Coterie } from "@coterie/client";

const client = Coterie.fromEnv({ baseUrl: "${origin}" });
for await (const piece of client.chats.stream({ agent: "${agentId}", message: "${QUESTION}" }).text()) {
  process.stdout.write(piece);
}`,
    },
    {
      key: "openai",
      name: "OpenAI",
      install: "pip install openai",
      code: `import os

from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["COTERIE_TOKEN"])
answer = client.chat.completions.create(
    model="${agentId}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(answer.choices[0].message.content)`,
    },
  ];
}

/** The same of a published workflow, with a value for each of its inputs. */
export function workflowCalls(origin: string, workflowId: string, inputs: object): readonly Call[] {
  const values = JSON.stringify(inputs, undefined, 1).replace(/\n\s*/g, " ");
  const python = values.replace(/: true\b/g, ": True");
  return [
    {
      key: "curl",
      name: "curl",
      install: "",
      code: `curl -sS ${origin}/v1/workflow/run \\
  -H "Authorization: Bearer $COTERIE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"workflow_id": "${workflowId}",
       "parameters": ${values}}'`,
    },
    {
      key: "python",
      name: "Python",
      install: "pip install coterie-client",
      code: `from coterie_client import Coterie

client = Coterie.from_env(base_url="${origin}")
run = client.workflows.run("${workflowId}", ${python})
print(run.output)`,
    },
    {
      key: "typescript",
      name: "TypeScript",
      install: "npm install @coterie/client",
      code: `import { Coterie } from "@coterie/client";

const client = Coterie.fromEnv({ baseUrl: "${origin}" });
const run = await client.workflows.run({ workflow: "${workflowId}", inputs: ${values} });
console.log(run.output);`,
    },
  ];
}
