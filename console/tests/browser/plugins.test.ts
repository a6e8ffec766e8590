import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, expectAccessible, prefer, signIn } from "./fixture";
import { HARBOUR, HARBOUR_CHANGED, type McpServer, startMcp } from "./mcp";
import { startServer } from "./server";

const FORECAST = { city: "Paris", days: [{ high: 21, low: 12 }] };

/** A service of the test, and a server that may call it although it is on this machine. */
const test = base.extend<object, { service: string; mcp: McpServer }>({
  mcp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const mcp = await startMcp(HARBOUR);
      await use(mcp);
      mcp.stop();
    },
    { scope: "worker" },
  ],
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const http = createServer((request, response) => {
        response.setHeader("Content-Type", "application/json");
        const isKnown = request.headers["x-key"] === "s3cret";
        response.statusCode = isKnown ? 200 : 401;
        response.end(JSON.stringify(isKnown ? FORECAST : { error: "no key" }));
      });
      await new Promise<void>((resolve) => {
        http.listen(0, "127.0.0.1", resolve);
      });
      await use(`127.0.0.1:${portOf(http)}`);
      http.closeAllConnections();
      http.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ service, mcp }, use) => {
      const allowed = `${service},${mcp.host}`;
      const server = await startServer({ COTERIE_EGRESS__ALLOW_PRIVATE: allowed });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

function rightOf(box: { x: number; width: number } | null): number {
  return box ? box.x + box.width : 0;
}

function portOf(http: HttpServer): number {
  const address = http.address();
  return isPlace(address) ? address.port : 0;
}

function isPlace(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

/** Thirty operations that can be used, and four that say too little. */
function documentOf(service: string): string {
  const names = Array.from({ length: 28 }, (_, index) => `port_${index + 1}`);
  const ports = names.map(
    (name) => `  /${name}:
    get:
      operationId: ${name}
      summary: Says what the ${name} has to offer to ships.
      responses: {"200": {description: ok}}
`,
  );
  const broken = ["w", "x", "y", "z"].map(
    (name) => `  /broken-${name}:
    get:
      operationId: broken_${name}
      parameters: [{$ref: "#/components/parameters/Gone_${name}"}]
      responses: {"200": {description: ok}}
`,
  );
  return `openapi: 3.0.3
info: {title: Weather, version: "1"}
servers: [{url: "http://${service}"}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
security: [{key: []}]
paths:
  /forecast:
    get:
      operationId: get_forecast
      summary: Forecast of the next days for a city that the user names.
      parameters:
        - {name: city, in: query, required: true, schema: {type: string}}
      responses: {"200": {description: ok}}
  /alerts:
    get:
      operationId: alerts
      summary: Alerts
      responses: {"200": {description: ok}}
${ports.join("")}${broken.join("")}`;
}

test("a document is looked at, imported, tried, published and bound", async ({
  console: page,
  server,
  service,
}) => {
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Import" }).first().click();
  await page.getByRole("textbox", { name: /paste/ }).fill(documentOf(service));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByLabel("Description of get_forecast")).toHaveValue(/next days/);
  await expect(page.getByText(/say what it does and when to call it/)).toBeVisible();
  await expect(page.getByText("30 tools", { exact: true })).toBeVisible();
  await expect(page.getByText(/Gone_/)).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: "Import all tools" }).click();
  for (const kept of ["get_forecast", "port_1", "port_2", "port_3", "port_4", "port_5"]) {
    await page.getByRole("checkbox", { name: `Import ${kept}`, exact: true }).click();
  }
  await page.getByRole("button", { name: "Import 6 tools" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Weather");
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Access" }).click();
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Key", exact: true }).click();
  await page.getByLabel("Name of the header or parameter").fill("X-Key");
  await page.getByLabel("Key", { exact: true }).fill("s3cret");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText(/Stored:/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("tab", { name: /Tools/ }).click();
  await page.getByRole("link", { name: "get_forecast" }).click();
  const call = page.getByRole("region", { name: "Test call" });
  await call.getByLabel("city").fill("Paris");
  await call.getByRole("button", { name: "Call" }).click();
  await expect(call.getByText("Status 200")).toBeVisible();
  await expect(call).not.toContainText("s3cret");
  await expectAccessible(page);
  await call.getByRole("button", { name: "Use as example" }).click();
  await expect(page.getByRole("region", { name: "Example of an answer" })).toContainText("Paris");
  await call.getByRole("button", { name: "Take schema from the answer" }).click();
  await expect(page.getByRole("group", { name: "high" })).toBeVisible();
  await call.getByRole("button", { name: "Save and call" }).click();
  await expect(page.getByText("Not saved")).toHaveCount(0);
  await expect(call.getByText("Status 200")).toBeVisible();

  await page.getByRole("link", { name: "Weather" }).click();
  await expect(page.getByText("Worked")).toBeVisible();
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page);
  await dialog.getByRole("checkbox", { name: /5 tools/ }).click();
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText(/Published v/).first()).toBeVisible();

  const agent = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Forecaster" },
  );
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent.id}`);
  await page.getByText("Tools", { exact: true }).click();
  await page.getByRole("button", { name: "Add tools" }).click();
  const picker = page.getByRole("dialog", { name: "Tools" });
  await picker.getByRole("searchbox", { name: "Find a tool" }).fill("fore");
  await picker.getByRole("button", { name: /get_forecast/ }).click();
  await picker.getByLabel("city").fill("Paris");
  await picker.getByRole("button", { name: "Call" }).click();
  await expect(picker.getByText("Status 200")).toBeVisible();
  await expectAccessible(page);
  await picker.getByRole("button", { name: "Bind", exact: true }).click();
  await picker.getByRole("button", { name: "Done" }).click();
  const bound = page.getByRole("group", { name: "get_forecast" });
  await bound.getByText("Fixed values").click();
  await bound.getByRole("textbox", { name: "city" }).fill("Rome");
  await expect(bound.getByRole("button", { name: "Let the model give city" })).toBeVisible();
  await bound.getByRole("combobox", { name: "Approval" }).click();
  await page.getByRole("option", { name: "Always" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText("1 tool", { exact: true })).toBeVisible();
  await page.goto(`/console/w/${server.workspaceId}/plugins`);
  const row = page.getByRole("row", { name: /Weather/ });
  await expect(row).toContainText(/Worked/);
  await expect(row.getByRole("link", { name: "1", exact: true })).toBeVisible();
});

test("tools of an MCP server are looked at, accepted, and looked at again when they change", async ({
  signedIn: page,
  server,
  mcp,
}) => {
  await page.goto(`/console/w/${server.workspaceId}/plugins/import?kind=mcp`);
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour office");
  await page.getByPlaceholder("https://mcp.example.com/mcp").fill(mcp.url);
  await page.getByRole("button", { name: "Inspect" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour office");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Inspect" }).click();
  await dialog.getByRole("button", { name: "Accept 2 tools" }).click();
  await expect(page.getByRole("link", { name: "find_booking" })).toBeVisible();

  mcp.offer(HARBOUR_CHANGED);
  await page.getByRole("button", { name: "Inspect" }).click();
  await expect(dialog.getByText("Finds a booking by its number.", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/cancels it if nobody has paid/)).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await dialog.getByRole("checkbox", { name: "find_booking" }).click();
  await dialog.getByRole("button", { name: "Accept 1 tool" }).click();
  await expect(page.getByRole("link", { name: "find_booking" })).toBeVisible();
  await expect(page.getByRole("link", { name: "close_pier" })).toHaveCount(0);
});

test("tools are brought in from the workbench, and are bound to its agent at once", async ({
  signedIn: page,
  server,
  mcp,
  service,
}) => {
  mcp.offer(HARBOUR);
  const bare = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", { name: "Bare" });
  const agent = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${bare.id}/agents`,
    { name: "Brings its own" },
  );
  const address = `/console/w/${bare.id}/agents/${agent.id}`;
  await page.goto(address);
  await page.getByText("Tools", { exact: true }).click();
  await page.getByRole("button", { name: "Add tools" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/There are no tools yet/)).toBeVisible();
  await expect(dialog.getByText("Choose a tool to see what it does.")).toHaveCount(0);
  const kinds = dialog.getByRole("group", { name: "Kind" });
  const [all, last] = [
    await kinds.boundingBox(),
    await kinds.locator("label").last().boundingBox(),
  ];
  expect(rightOf(all) - rightOf(last)).toBeLessThan(8);
  await dialog.getByRole("button", { name: "New from an API or MCP server" }).click();
  await expectAccessible(page);
  await dialog
    .getByRole("textbox", { name: /paste/ })
    .fill(`curl http://${service}/tides?port=Dover`);
  await expect(dialog.getByRole("button").last()).toHaveText("Review");
  await dialog.getByRole("button", { name: "Review" }).click();
  await expect(dialog.getByText("1 tool", { exact: true })).toBeVisible();
  await expect(dialog.getByText("What the model reads", { exact: true }).last()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add 1 tool" }).click();
  const picker = page.getByRole("dialog", { name: "Tools", exact: true });
  await expect(picker.getByRole("button", { name: "Unbind" })).toBeVisible();
  await expect(picker.getByLabel("port")).toBeVisible();

  await picker.getByRole("button", { name: "New from an API or MCP server" }).click();
  await dialog.getByRole("radio", { name: "MCP server" }).click({ force: true });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Harbour office");
  await dialog.getByPlaceholder("https://mcp.example.com/mcp").fill(`${mcp.url}/nowhere`);
  await dialog.getByRole("button", { name: "Inspect" }).click();
  await dialog.getByRole("checkbox", { name: "list_piers" }).click();
  await dialog.getByRole("button", { name: "Add 1 tool" }).click();
  await expect(picker.getByRole("heading", { name: "find_booking" })).toBeVisible();
  await picker.getByRole("button", { name: "Done" }).click();
  await expect(page).toHaveURL(new RegExp(`${agent.id}$`));
  await expect(page.getByRole("group", { name: "find_booking" })).toBeVisible();
  await expect
    .poll(async () => {
      const { plugins } = await server.call<{ plugins: object[] }>(
        "GET",
        `/admin/v1/agents/${agent.id}`,
      );
      return plugins.length;
    })
    .toBe(2);
});

test("plugins are accessible in Chinese and dark, and on a phone", async ({
  page,
  context,
  server,
}) => {
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  const made = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/plugins`,
    {
      name: "天气",
      type: "http",
      server_url: "https://weather.example",
      tools: [{ name: "get_forecast", description: "查询天气", path: "/forecast" }],
    },
  );
  await page.setViewportSize({ width: 390, height: 800 });
  const place = `/console/w/${server.workspaceId}/plugins`;
  for (const path of [`/import`, `/import?kind=mcp`, `/${made.id}`, `/${made.id}?tab=access`]) {
    await page.goto(place + path);
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("");
    await expectAccessible(page);
  }
});

test("who uses a plugin is listed with a way there", async ({ signedIn: page, server }) => {
  const at = `/admin/v1/workspaces/${server.workspaceId}`;
  const plugin = await server.call<{ id: string }>("POST", `${at}/plugins`, {
    name: "Harbour",
    description: "Ships and piers",
    server_url: "https://harbour.example",
  });
  await page.goto(`/console/w/${server.workspaceId}/plugins/${plugin.id}?tab=settings`);
  await expect(page.getByText("No agent and no workflow uses its tools.")).toBeVisible();
  const apiParam = [
    { name: "pluginID", input: { type: "string", value: { type: "literal", content: plugin.id } } },
  ];
  const schema = JSON.stringify({
    nodes: [{ id: "110001", type: "4", data: { inputs: { apiParam } } }],
    edges: [],
  });
  const made = await server.call<{ workflow: { id: string } }>("POST", `${at}/workflows:import`, {
    schema,
    name: "Ask the harbour",
  });
  // Told by the live channel: no reload.
  await page.getByRole("link", { name: "Ask the harbour" }).click();
  await expect(page).toHaveURL(new RegExp(`/workflows/${made.workflow.id}$`));
  await expect(page.getByRole("application").first()).toBeVisible();
});

test("chosen plugins are deleted together, for good", async ({ console: page, server }) => {
  const plugins = `/admin/v1/workspaces/${server.workspaceId}/plugins`;
  for (const bird of ["Tern", "Dunlin", "Knot"]) {
    await server.call("POST", plugins, {
      name: `${bird} of the tideland`,
      description: "A bird",
      server_url: "https://birds.example",
    });
  }
  await page.goto(`/console/w/${server.workspaceId}/plugins?q=tideland`);
  const rows = page.getByRole("grid").getByRole("row", { name: /of the tideland/ });
  await expect(rows).toHaveCount(3);
  await page.getByRole("checkbox", { name: /Tern/ }).click();
  await page.getByRole("checkbox", { name: /Knot/ }).click();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("They cannot be brought back.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete 2" }).click();
  await expect(rows).toHaveText([/Dunlin/]);
  await expect(page.getByText("2 selected")).toHaveCount(0);
  await expect(page.getByText("Deleted 2").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("the name of a plugin is written where it stands", async ({ console: page, server }) => {
  const at = `/admin/v1/workspaces/${server.workspaceId}/plugins`;
  const { id } = await server.call<{ id: string }>("POST", at, {
    name: "Tides",
    description: "High and low water",
    server_url: "https://tides.example",
  });
  await page.goto(`/console/w/${server.workspaceId}/plugins/${id}`);
  const title = page.getByRole("heading", { level: 1 });
  await title.getByRole("button", { name: "Tides" }).click();
  const field = title.getByRole("textbox", { name: "Name of Tides" });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill("Currents");
  await field.press("Escape");
  await expect(title).toHaveText("Tides");
  await title.getByRole("button", { name: "Tides" }).press("Enter");
  await field.fill("Tides and currents");
  await field.press("Enter");
  await expect(title).toHaveText("Tides and currents");
  await expect(title.getByRole("button")).toBeFocused();
  await expect(page).toHaveTitle(/^Tides and currents · /);
  const known = await server.call<{ name: string }>("GET", `/admin/v1/plugins/${id}`);
  expect(known.name).toBe("Tides and currents");
});
