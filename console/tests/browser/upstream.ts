import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Server } from "./server";

const ROOT = join(import.meta.dirname, "../../..");
const PYTHON = join(process.env["VIRTUAL_ENV"] ?? join(ROOT, ".venv"), "bin", "python");

/** A provider of models that does what the name of the model and a plan in the prompt say. */
export type Upstream = {
  url: string;
  /** Adds a model of this name; returns its id. */
  model: (server: Server, name: string) => Promise<string>;
  /** The bodies that it was sent, to the byte, in their order. */
  record: () => Promise<readonly string[]>;
  /** Takes its models away first: one of them may be what agents without a model ask. */
  stop: () => Promise<void>;
};

export async function startUpstream(): Promise<Upstream> {
  const child = spawn(PYTHON, ["-m", "tests.upstream"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const { value: port } = await lines[Symbol.asyncIterator]().next();
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}/v1`;
  const added: [server: Server, id: string][] = [];
  return {
    url,
    model: async (server, name) => {
      const connection = { base_url: url, model: name };
      const body = { display: { name }, connection };
      const { id } = await server.call<{ id: string }>("POST", "/admin/v1/models", body);
      added.push([server, id]);
      return id;
    },
    record: async () => {
      const response = await fetch(new URL("/_control/requests", url));
      const requests: { raw: string }[] = await response.json();
      return requests.map(({ raw }) => Buffer.from(raw, "base64").toString("utf8"));
    },
    stop: async () => {
      for (const [server, id] of added) await server.call("DELETE", `/admin/v1/models/${id}`);
      child.kill("SIGINT");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

type Step = { say: string; calls?: { name: string; arguments: unknown }[] };

/** An agent that answers by a plan. */
export async function plannedAgent(
  server: Server,
  name: string,
  model: string,
  plan: readonly Step[],
  more: object = {},
): Promise<string> {
  const path = `/admin/v1/workspaces/${server.workspaceId}/agents`;
  const prompt = { text: `You know the harbour.\n<plan>${JSON.stringify(plan)}</plan>` };
  const body = { name, prompt, model: { model_id: model }, ...more };
  const made = await server.call<{ id: string }>("POST", path, body);
  const publish = { connector_ids: ["1024"], description: "test" };
  await server.call("POST", `/admin/v1/agents/${made.id}/publish`, publish);
  return made.id;
}
