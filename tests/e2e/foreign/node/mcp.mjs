/** MCP: the agents of a workspace as tools, by the protocol's own clients, old and new. */
import * as newer from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AGENT, QUESTION, SERVER, TOKEN, WORKSPACE, main } from "./task.mjs";

const address = `${SERVER}/mcp/${WORKSPACE}`;
const options = { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } };
const named = { name: "foreign", version: "1.0.0" };

async function asked(client, transport) {
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { name } = tools.find((tool) => tool.name.endsWith(AGENT));
    const done = await client.callTool({ name, arguments: { question: QUESTION } });
    return done.structuredContent.answer;
  } finally {
    await client.close();
  }
}

await main({
  "sdk/answer": () =>
    asked(new Client(named), new StreamableHTTPClientTransport(new URL(address), options)),
  "sdk/answer by server-sent events": () =>
    asked(new Client(named), new SSEClientTransport(new URL(`${address}/sse`), options)),
  "client/answer": () =>
    asked(
      new newer.Client(named),
      new newer.StreamableHTTPClientTransport(new URL(address), options),
    ),
});
