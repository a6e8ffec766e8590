import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAMS = join(process.env["VIRTUAL_ENV"] ?? join(ROOT, ".venv"), "bin");
const TOKEN = "pat_q7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUiOv";

/** A server of its own, with a fresh data directory, and calls of its API. */
export type Server = {
  url: string;
  token: string;
  workspaceId: string;
  /** The link that the first start prints: it signs the administrator in, once. */
  welcomeUrl: string;
  /** Where it keeps its database and its objects. */
  dataDir: string;
  call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  /** Kills it in the middle of its work, and begins it again at the same place. */
  killAndBegin: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Begins a server; more can be set by its variables. What it logs stands among what the tests say,
 * unless somebody takes it: who breaks something on purpose has it full of what that led to.
 */
export async function startServer(
  settings: Record<string, string> = {},
  onLog?: (text: string) => void,
): Promise<Server> {
  const data = await mkdtemp(join(tmpdir(), "coterie-console-"));
  const program = process.env["CONSOLE_COTERIE"] ?? join(PROGRAMS, "coterie");
  const begin = (port: string) => {
    const child = spawn(program, ["serve", "--json", "--port", port, "--data-dir", data], {
      cwd: data,
      env: {
        ...process.env,
        COTERIE_BOOTSTRAP_TOKEN: TOKEN,
        COTERIE_LOG__LEVEL: "warning",
        ...settings,
      },
      stdio: ["ignore", "pipe", onLog ? "pipe" : "inherit"],
    });
    child.stderr?.on("data", (text) => onLog?.(String(text)));
    return child;
  };
  let child = begin("0");
  const { url, welcomeUrl } = await announced(child);
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return JSON.parse((await response.text()) || "null");
  }
  const found = await call<{ items: { id: string }[] }>("GET", "/admin/v1/workspaces");
  return {
    url,
    token: TOKEN,
    welcomeUrl,
    dataDir: data,
    workspaceId: found.items[0]?.id ?? "",
    call,
    killAndBegin: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      child = begin(new URL(url).port);
      await announced(child);
    },
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** What the server says when it answers: one line of JSON. */
async function announced(child: ChildProcess): Promise<{ url: string; welcomeUrl: string }> {
  if (!child.stdout) throw new Error("The server has no output.");
  for await (const line of createInterface({ input: child.stdout })) {
    const said: { url?: string; welcome_url?: string } = line.startsWith("{")
      ? JSON.parse(line)
      : {};
    if (said.url) {
      child.stdout.resume();
      return { url: said.url, welcomeUrl: said.welcome_url ?? "" };
    }
  }
  throw new Error(`The server ended with ${child.exitCode} before it answered.`);
}
