import { createServer, type Server as HttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, signIn, test } from "./fixture";
import { plannedAgent, startUpstream } from "./upstream";

const CUT_MS = 300;
const TOKENS = 160;

test("an answer is whole although its stream is cut every 300 ms", async ({
  browser,
  context: direct,
  server,
}) => {
  const upstream = await startUpstream();
  const proxy = await startProxy();
  const model = await upstream.model(server, `tokens-${TOKENS}-15`);
  const agent = await plannedAgent(server, "Ticker", model, [{ say: "" }]);
  await signIn(direct, server);
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: await direct.storageState(),
    locale: "en-US",
    proxy: { server: proxy.url },
  });
  const page = await context.newPage();
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Count");
  await composer.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText(/First token .* in all/);
  const expected = Array.from({ length: TOKENS }, (_, index) => `t${index}`).join(" ");
  await expect(answer).toContainText(expected);
  expect(proxy.cuts()).toBeGreaterThanOrEqual(3);
  await context.close();
  await proxy.stop();
  await upstream.stop();
});

/** Passes everything on, and hangs up on each stream of events after a moment. */
async function startProxy() {
  let cut = 0;
  const http: HttpServer = createServer((asked, answered) => {
    const { method, headers, url = "" } = asked;
    const on = request(url, { method, headers }, (told) => {
      answered.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answered);
      if (!String(told.headers["content-type"]).startsWith("text/event-stream")) return;
      const timer = setTimeout(() => {
        cut += 1;
        answered.destroy();
        told.destroy();
      }, CUT_MS);
      told.on("end", () => clearTimeout(timer));
    });
    on.on("error", () => answered.destroy());
    asked.pipe(on);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(http.address())}`,
    cuts: () => cut,
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
