import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect as open, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "../../..");
const PYTHON = join(process.env["VIRTUAL_ENV"] ?? join(ROOT, ".venv"), "bin/python");
/** The database of the server's own tests, until nobody listens any more. */
const PROGRAM = `
import sys
from tests.support.service.postgres import SOCKET, running_postgres
with running_postgres() as server:
    server.execute("CREATE DATABASE console")
    print(f"socket {server.directory / (SOCKET)}", flush=True)
    sys.stdin.read()
`;

/** A PostgreSQL behind a proxy that can fall silent: connections stay, and nothing passes. */
export async function startDatabase() {
  const child = spawn(PYTHON, ["-c", PROGRAM], { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  let path = "";
  for await (const line of createInterface({ input: child.stdout })) {
    path = line.replace("socket ", "");
    if (path !== line) break;
  }
  const pairs = new Set<[Socket, Socket]>();
  let isSilent = false;
  const proxy = createServer((near) => {
    const far = open(path);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const each of pair) {
      if (isSilent) each.pause();
      each.on("error", () => undefined);
      each.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    url: `postgresql+asyncpg://postgres@127.0.0.1:${port}/console`,
    setSilent(silent: boolean): void {
      isSilent = silent;
      for (const each of [...pairs].flat()) {
        if (silent) each.pause();
        else each.resume();
      }
    },
    async stop(): Promise<void> {
      for (const each of [...pairs].flat()) each.destroy();
      proxy.close();
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
