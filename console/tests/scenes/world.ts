import { readFile } from "node:fs/promises";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { giveUp } from "../browser/dead-letter";
import { flag } from "../browser/flag";
import { HARBOUR, HARBOUR_CHANGED, startMcp } from "../browser/mcp";
import { type Server, startServer } from "../browser/server";
import { plannedAgent, startUpstream, type Upstream } from "../browser/upstream";

export const FIXTURES = join(import.meta.dirname, "../../../tests/fixtures");

/** A server with the things of a small ferry company, and where they are. */
export type World = {
  server: Server;
  upstream: Upstream;
  /** Ids by what a path calls them. */
  ids: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
};

type Made = { id: string };

/** Fills a server with what screens show: every list has a few rows, each editor something to edit. */
export async function startWorld(): Promise<World> {
  const http = await startService();
  const service = `127.0.0.1:${portOf(http)}`;
  const mcp = await startMcp(HARBOUR);
  const allowed = `${service},${mcp.host}`;
  const started = await startServer({ COTERIE_EGRESS__ALLOW_PRIVATE: allowed });
  const upstream = await startUpstream();
  const team = await started.call<Made>("POST", "/admin/v1/workspaces", {
    name: "Kestrel Ferries",
  });
  const server = { ...started, workspaceId: team.id };
  const ids = await filled(server, upstream, service);
  const harbour = await toolServer(server, mcp.url);
  mcp.offer(HARBOUR_CHANGED);
  return {
    server,
    upstream,
    ids: { ...ids, harbour },
    stop: async () => {
      mcp.stop();
      await upstream.stop();
      await server.stop();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** A plugin of a server whose tools were accepted once, and have changed since. */
async function toolServer(server: Server, url: string): Promise<string> {
  const place = `/admin/v1/workspaces/${server.workspaceId}/plugins`;
  const { id } = await server.call<Made>("POST", place, {
    name: "Harbour office",
    description: "Bookings and piers",
    type: "mcp",
    server_url: url,
    mcp: { transport: "streamable_http" },
  });
  const tools = `/admin/v1/plugins/${id}/server-tools`;
  const seen = await server.call<{ digest: string; items: { name: string }[] }>(
    "POST",
    `${tools}:inspect`,
  );
  await server.call("POST", `${tools}:accept`, {
    digest: seen.digest,
    names: seen.items.map((each) => each.name),
  });
  return id;
}

/** Answers departures, whatever it is asked. */
async function startService(): Promise<HttpServer> {
  const http = createServer((_, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ line: "Norderney", departures: ["08:10", "09:10", "10:40"] }));
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  return http;
}

function portOf(http: HttpServer): number {
  const address = http.address();
  return isPlace(address) ? address.port : 0;
}

function isPlace(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

async function filled(server: Server, upstream: Upstream, service: string) {
  const place = `/admin/v1/workspaces/${server.workspaceId}`;
  const make = async (path: string, body: unknown) =>
    (await server.call<Made>("POST", `${place}/${path}`, body)).id;
  const planned = await upstream.model(server, "planned");
  const slow = await upstream.model(server, "stall-after-40");
  await upstream.model(server, "error-key");
  const base = await knowledge(server, make);
  const plugin = await plugins(server, place, service);
  const workflows = await drawn(server, place);
  const agents = await agentsOf(server, { planned, slow, ...base, ...plugin, ...workflows });
  await make("channels", {
    platform: "slack",
    target_type: "agent",
    target_id: agents.guide,
    settings: { name: "Help desk" },
    credentials: { bot_token: "xoxb-of-the-scene", signing_secret: "of-the-scene" },
  });
  const table = await make("databases", {
    table_name: "bookings",
    table_desc: "Seats that were booked by phone",
    fields: [
      { name: "passenger", must_required: true },
      { name: "seats", type: 2 },
      { name: "departure", type: 3 },
      { name: "paid", type: 5 },
    ],
  });
  const booked = {
    records: PASSENGERS.map((passenger, index) => ({
      passenger,
      seats: 1 + (index % 4),
      departure: `2026-06-${String(1 + (index % 28)).padStart(2, "0")} 09:10:00`,
      paid: index % 3 !== 0,
    })),
  };
  for (const env of ["draft", "online"])
    await server.call("POST", `/admin/v1/databases/${table}/records:insert`, { ...booked, env });
  await make("databases", { table_name: "lost_property", fields: [{ name: "thing" }] });
  await make("prompts", {
    name: "Calm tone",
    description: "For complaints and delays",
    tags: ["tone", "support"],
    prompt_text: "Answer {{name}} calmly, in two sentences, and offer one next step.",
  });
  await make("prompts", {
    name: "合同要点",
    description: "合同审阅的固定格式",
    tags: ["法务", "格式"],
    prompt_text: "逐条列出合同中的义务、期限与违约责任。",
  });
  const { id: app } = await server.call<Made>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/apps`,
    {
      name: "Ticket counter",
      variables: [
        { key: "pier", description: "Where the boat lies today", channel: "app", type: "integer" },
        { key: "language", description: "What the passenger speaks", default_value: "English" },
      ],
    },
  );
  for (const [passenger, language] of Object.entries(LANGUAGES))
    await server.call(
      "PUT",
      `/admin/v1/apps/${app}/users/${encodeURIComponent(passenger)}/variables`,
      { items: [{ keyword: "language", value: language }] },
    );
  const link = await shared(server, {
    target_id: agents.guide,
    settings: {
      name: "Harbour desk",
      welcome: "Ask about departures, luggage and tickets.",
      suggestions: ["When does the next ferry leave?", "May I bring a dog?"],
    },
  });
  const locked = await shared(server, {
    target_id: agents.guide,
    settings: { name: "Crew handbook", footer: "For crews only." },
    auth: "password",
    password: "open sesame",
  });
  const used = await shared(server, {
    target_id: agents.guide,
    settings: { name: "Summer campaign" },
  });
  await make("groups", { name: "Harbour staff" });
  await make("groups", { name: "Crews" });
  await make("oauth-apps", {
    name: "Booking desk",
    type: "web",
    permissions: ["chat", "bot.read"],
    redirect_uris: ["https://desk.ferries.example/callback"],
  });
  await make("budgets", {
    name: "Summer campaign",
    subject_type: "share_link",
    subject_id: used.id,
    unit: "tokens",
    amount: "1",
    period: "month",
  });
  for (const subject of [
    { name: "Whole workspace", subject_type: "workspace", subject_id: server.workspaceId },
    { name: "Harbour guide", subject_type: "agent", subject_id: agents.guide },
  ])
    await make("budgets", { ...subject, unit: "tokens", amount: "40000", period: "month" });
  const people = await members(server, place);
  const runs = await talked(server, agents);
  const conversation = await passenger(server, place, agents.guide);
  for (const letter of LETTERS) giveUp(server, letter);
  const { id: empty } = await server.call<Made>("POST", "/admin/v1/workspaces", { name: "New" });
  return {
    empty,
    ticket: new URL(server.welcomeUrl).searchParams.get("ticket") ?? "",
    base: base.handbook,
    ...base,
    ...plugin,
    ...workflows,
    ...agents,
    table,
    app,
    link: link.id,
    code: link.code,
    lockedCode: locked.code,
    spentCode: used.code,
    ...people,
    ...runs,
    conversation,
  };
}

/** What consumers gave up: two for one cause, one of another consumer. */
const LETTERS = [
  {
    consumer: "knowledge.cleaner",
    topic: "knowledge.document_deleted",
    payload: { dataset_id: "7532457634234892289", document_id: "7532457634637545472" },
    error: "The object store did not answer within 10 seconds.",
  },
  {
    consumer: "knowledge.cleaner",
    topic: "knowledge.document_deleted",
    payload: { dataset_id: "7532457634234892289", document_id: "7532457634637545473" },
    error: "The object store did not answer within 10 seconds.",
  },
  {
    consumer: "automation.webhooks",
    topic: "agent.published",
    payload: { agent_id: "7532457634234892300", version: "3", token: "hidden" },
    error: "https://hooks.ferries.example answered 502 Bad Gateway.",
  },
];

async function shared(server: Server, body: object): Promise<{ id: string; code: string }> {
  const path = `/admin/v1/workspaces/${server.workspaceId}/share-links`;
  return await server.call("POST", path, { target_type: "agent", ...body });
}

const LANGUAGES = { "passenger-1207": "Deutsch", "passenger-1311": "中文", 陈雨桐: "中文" };

const PASSENGERS = [
  "Ada Pettersson",
  "Bram de Wit",
  "陈雨桐",
  "Dilara Yıldız",
  "Emil Sørensen",
  "Fatima Haddad",
  "Gustav Holm",
  "黄志远",
  "Ines Carvalho",
  "Jonas Petersen",
  "Katrin Bauer",
  "李晓明",
];

async function knowledge(server: Server, make: (path: string, body: unknown) => Promise<string>) {
  const handbook = await make("datasets", {
    name: "Passenger handbook",
    description: "Tickets, luggage, animals, delays",
  });
  const regulations = await make("datasets", {
    name: "规章制度",
    description: "内部规章与合同范本",
  });
  const fares = await make("datasets", {
    name: "Fares",
    description: "What a crossing costs, by line and kind of ticket",
    format_type: 1,
  });
  const routes = await make("datasets", {
    name: "Routes",
    description: "Lines with their departures",
    format_type: 1,
  });
  const timetables = await make("datasets", {
    name: "Timetables",
    description: "Summer and winter",
  });
  const signals = await make("datasets", {
    name: "Signals",
    description: "Flags and what they say",
    format_type: 2,
  });
  const read = async (name: string) =>
    (await readFile(join(FIXTURES, "documents", name))).toString("base64");
  const file = async (name: string, as: string) => ({
    name: as,
    source_info: { file_base64: await read(name), file_type: name.split(".").at(-1) },
  });
  const text = (name: string, content: string) => ({
    name,
    source_info: { custom_content: content },
  });
  const { items } = await server.call<{ items: Made[] }>(
    "POST",
    `/admin/v1/datasets/${handbook}/documents`,
    {
      document_bases: [
        await file("paper-page.pdf", "Sea state study.pdf"),
        await file("editor-guide.md", "Editor guide.md"),
        text("Luggage", LUGGAGE),
        text("Animals on board", ANIMALS),
        {
          name: "Old price list.pdf",
          source_info: { file_base64: "JVBERi0xLjcgYnJva2Vu", file_type: "pdf" },
        },
      ],
    },
  );
  const rules = await server.call<{ items: Made[] }>(
    "POST",
    `/admin/v1/datasets/${regulations}/documents`,
    {
      document_bases: [
        text("乘船须知", CHINESE),
        await file("zh-duplicate-chars.pdf", "客运合同.pdf"),
      ],
    },
  );
  const flags = await server.call<{ items: Made[] }>(
    "POST",
    `/admin/v1/datasets/${signals}/documents`,
    {
      document_bases: SIGNALS.map(([letter, name, caption]) => ({
        name: `${name}.png`,
        source_info: { file_base64: flag(letter).toString("base64"), file_type: "png" },
        caption,
      })),
      chunk_strategy: { chunk_type: 0, caption_type: 1 },
    },
  );
  const priced = await server.call<{ items: Made[] }>(
    "POST",
    `/admin/v1/datasets/${fares}/documents`,
    {
      document_bases: [
        {
          name: "Fares 2026.csv",
          source_info: { file_base64: Buffer.from(FARES).toString("base64"), file_type: "csv" },
        },
      ],
    },
  );
  const settled = async (base: string) => {
    const found = await server.call<{ items: { status: number }[] }>(
      "GET",
      `/admin/v1/datasets/${base}/documents`,
    );
    return found.items.filter((each) => [1, 9].includes(each.status)).length;
  };
  await expect
    .poll(
      async () => {
        const bases = [handbook, regulations, fares, signals];
        return (await Promise.all(bases.map(settled))).reduce((sum, count) => sum + count);
      },
      { timeout: 90_000 },
    )
    .toBe(8 + SIGNALS.length);
  const chinese = rules.items[1]?.id ?? "";
  const cut = await server.call<{ items: Made[] }>("GET", `/admin/v1/documents/${chinese}/slices`);
  await server.call("PATCH", `/admin/v1/slices/${cut.items[1]?.id}`, { enabled: false });
  return {
    handbook,
    regulations,
    fares,
    routes,
    timetables,
    signals,
    chinese,
    prices: priced.items[0]?.id ?? "",
    signal: flags.items[0]?.id ?? "",
    pdf: items[0]?.id ?? "",
    markdown: items[1]?.id ?? "",
  };
}

const SIGNALS = [
  ["K", "Kilo", "Signal flag K, yellow and blue: I wish to communicate with you."],
  ["O", "Oscar", "Signal flag O, red and yellow: man overboard."],
  ["H", "Hotel", "Signal flag H, white and red: I have a pilot on board."],
  ["P", "Papa", ""],
] as const;

const FARES = `line,ticket,price,valid days
Norderney,single,14.50,1
Norderney,return,26.00,60
Norderney,bicycle,6.50,1
Juist,single,17.20,1
Juist,return,31.00,60
Juist,dog,4.00,1
Borkum,single,21.80,1
Borkum,return,39.90,60
`;

const LUGGAGE = `# Luggage

Each passenger takes two pieces of luggage along, of up to 20 kg together.

## Bicycles

A bicycle costs 6.50 € each way. Electric bicycles travel with the battery removed.

## Lost luggage

What was left on board is kept at the harbour desk for 30 days.`;

const ANIMALS = `# Animals on board

Dogs travel on the open deck and are kept on a lead. Guide dogs travel in the saloon, free of charge.`;

const CHINESE = `# 乘船须知

旅客须在开船前十五分钟到达码头，凭船票和有效证件登船。

## 行李

每位旅客可免费携带两件行李，合计不超过二十公斤。

## 退票

开船前两小时可退票，收取票价百分之十的手续费。`;

async function plugins(server: Server, place: string, service: string) {
  const made = await server.call<{ plugin: Made; tools: Made[] }>(
    "POST",
    `${place}/plugins:import`,
    {
      data: `openapi: 3.0.3
info: {title: Timetable, version: "2", description: Departures and delays of all lines.}
servers: [{url: "http://${service}"}]
paths:
  /departures:
    get:
      operationId: get_departures
      summary: Departures of a line on a day, with delays.
      parameters:
        - {name: line, in: query, required: true, description: Name of the line., schema: {type: string}}
        - {name: day, in: query, description: "Day as YYYY-MM-DD; today if empty.", schema: {type: string}}
      responses: {"200": {description: ok}}
  /delays:
    get:
      operationId: get_delays
      summary: Delays that were announced for today.
      responses: {"200": {description: ok}}
`,
    },
  );
  const plugin = made.plugin.id;
  const tool = made.tools[0]?.id ?? "";
  await server.call("POST", `/admin/v1/plugins/${plugin}/publish`, { force: true });
  return { plugin, tool, delays: made.tools[1]?.id ?? "" };
}

async function drawn(server: Server, place: string) {
  const imported = async (file: string, name: string) => {
    const schema = await readFile(join(FIXTURES, "workflow", file), "utf8");
    const made = await server.call<{ workflow: Made }>("POST", `${place}/workflows:import`, {
      schema,
      name,
    });
    return made.workflow.id;
  };
  const small = await imported("ex01_entry_exit.json", "Greeting");
  const branches = await imported("ex02_selector_merge.json", "Refund by age");
  const loop = await imported("ex03_loop_variable_break.json", "Check every booking");
  const broken = await imported("ex11_lint_unknown_node.json", "从旧系统导入");
  const http = await imported("ex09_http.json", "Fetch the weather");
  const batch = await imported("ex10_node_batch.json", "Describe every word");
  const talk = await server.call<{ workflow: Made }>("POST", `${place}/workflows:import`, {
    schema: REPEATS,
    name: "At the counter",
    mode: 3,
  });
  const sums = await server.call<{ workflow: Made }>("POST", `${place}/workflows:import`, {
    schema: SUMS,
    name: "Sum up a booking",
  });
  const { id: cancel } = await server.call<Made>("POST", `${place}/workflows`, {
    name: "cancel",
    description: "Cancels a booking.",
    mode: 0,
  });
  await server.call("POST", `/admin/v1/workflows/${cancel}/publish`, { force: true });
  return {
    small,
    branches,
    loop,
    broken,
    http,
    batch,
    talk: talk.workflow.id,
    sums: sums.workflow.id,
    cancel,
  };
}

const PYTHON = `async def main(args: Args) -> Output:
    # Children under twelve travel at half the fare.
    fare = args.params["fare"]
    count = args.params["children"]
    return {"total": fare * (1 + count / 2)
`;

/** A workflow whose code has an open bracket. */
const SUMS = {
  nodes: [
    {
      id: "100001",
      type: "1",
      meta: { position: { x: 0, y: 0 } },
      data: { nodeMeta: { title: "Start" }, outputs: [{ name: "fare", type: "float" }] },
    },
    {
      id: "110001",
      type: "5",
      meta: { position: { x: 520, y: 0 } },
      data: {
        nodeMeta: { title: "Sum up" },
        outputs: [{ name: "total", type: "float" }],
        inputs: {
          language: 3,
          code: PYTHON,
          inputParameters: [
            {
              name: "fare",
              input: {
                type: "float",
                value: {
                  type: "ref",
                  content: { source: "block-output", blockID: "100001", name: "fare" },
                },
              },
            },
            {
              name: "children",
              input: { type: "integer", value: { type: "literal", content: 2 } },
            },
          ],
        },
      },
    },
    {
      id: "900001",
      type: "2",
      meta: { position: { x: 1040, y: 0 } },
      data: {
        nodeMeta: { title: "End" },
        inputs: { terminatePlan: "returnVariables", inputParameters: [] },
      },
    },
  ],
  edges: [
    { sourceNodeID: "100001", targetNodeID: "110001" },
    { sourceNodeID: "110001", targetNodeID: "900001" },
  ],
};

/** A chat flow that says what it was told. */
const REPEATS = {
  nodes: [
    {
      id: "100001",
      type: "1",
      meta: { position: { x: 0, y: 0 } },
      data: {
        nodeMeta: { title: "Start" },
        outputs: [
          { name: "USER_INPUT", type: "string" },
          { name: "CONVERSATION_NAME", type: "string" },
        ],
      },
    },
    {
      id: "900001",
      type: "2",
      meta: { position: { x: 520, y: 0 } },
      data: {
        nodeMeta: { title: "End" },
        inputs: {
          terminatePlan: "useAnswerContent",
          content: {
            type: "string",
            value: { type: "literal", content: "You said: {{said}}" },
          },
          inputParameters: [
            {
              name: "said",
              input: {
                type: "string",
                value: {
                  type: "ref",
                  content: { source: "block-output", blockID: "100001", name: "USER_INPUT" },
                },
              },
            },
          ],
        },
      },
    },
  ],
  edges: [{ sourceNodeID: "100001", targetNodeID: "900001" }],
};

/** A persona whose plan stands in a variable: what people see is what they would write. */
function told(text: string, plan: readonly object[]) {
  return {
    prompt: { text },
    variables: [
      {
        key: "tone",
        description: "How passengers are spoken to",
        default_value: `<plan>${JSON.stringify(plan)}</plan>`,
      },
    ],
  };
}

const GUIDE_PERSONA = `You are the harbour guide of Kestrel Ferries. Answer passengers about departures, luggage and tickets.

# How you answer

- Look departures up before you name a time; never guess one.
- Two or three sentences, a table where there are several departures.
- Say which page of the handbook a rule comes from.

Tone: {{tone}}`;

async function agentsOf(server: Server, of: Record<string, string>) {
  const guidePlan = [
    {
      say: "Let me look.",
      calls: [
        { name: "get_departures", arguments: { line: "Norderney" } },
        { name: "get_delays", arguments: {} },
      ],
    },
    { say: GUIDE },
  ];
  const guide = await plannedAgent(server, "Harbour guide", of["planned"] ?? "", [], {
    description: "Answers passengers about departures, luggage and tickets",
    ...told(GUIDE_PERSONA, guidePlan),
    plugins: [of["tool"], of["delays"]].map((tool_id) => ({ plugin_id: of["plugin"], tool_id })),
    knowledge: { datasets: [of["handbook"]], auto: true, min_score: 0 },
    onboarding: {
      prologue: "Good morning. Where would you like to go?",
      suggested_questions: ["When does the next ferry leave?", "May I bring a dog?"],
    },
  });
  const deskPlan = [
    { say: "One moment.", calls: [{ name: "cancel", arguments: { booking: "A-7731" } }] },
    { say: "It is cancelled." },
  ];
  const desk = await plannedAgent(server, "Order desk", of["planned"] ?? "", [], {
    description: "Changes and cancels bookings",
    ...told(
      "You change and cancel bookings. Ask for the number of the booking first.\n\nTone: {{tone}}",
      deskPlan,
    ),
    workflows: [{ workflow_id: of["cancel"], tool_name: "cancel", approval: "always" }],
  });
  const slow = await plannedAgent(server, "Announcer", of["slow"] ?? "", [{ say: "" }], {
    description: "Reads announcements aloud",
  });
  const place = `/admin/v1/workspaces/${server.workspaceId}/agents`;
  await server.call("POST", place, {
    name: "合同审阅助手",
    description: "逐条审阅合同，列出义务、期限与风险",
    prompt: { text: "你是一位严谨的法务。逐条审阅合同，指出风险并给出修改建议。" },
  });
  const crew = await server.call<Made>("POST", place, {
    name: "Crew planner",
    description: "Shifts of the crews",
  });
  await team(server, guide, desk, crew.id);
  return { guide, desk, slow };
}

/** What the guide's draft has that its published version has not. */
async function team(server: Server, guide: string, desk: string, crew: string): Promise<void> {
  await server.call("PATCH", `/admin/v1/agents/${guide}`, {
    prompt: { text: GUIDE_PERSONA.replace("Two or three sentences", "At most two sentences") },
    agents: [
      { agent_id: desk, kind: "hand_off", description: "Bookings are changed or cancelled" },
      { agent_id: crew, kind: "delegate" },
    ],
    model: { temperature: 0.3 },
  });
  const shortcuts = `/admin/v1/agents/${guide}/shortcuts`;
  await server.call("POST", shortcuts, {
    name: "Next ferry",
    command: "next",
    template_query: "When does the next ferry leave?",
  });
  await server.call("POST", shortcuts, {
    name: "Plan a trip",
    command: "trip",
    send_type: "panel",
    template_query: "I want to go to {{island}} with {{luggage}}.",
    components: [
      { name: "island", input_type: "select", options: ["Norderney", "Juist", "Baltrum"] },
      { name: "luggage", default_value: "one bag" },
    ],
  });
}

const GUIDE = `The next ferry to **Norderney** leaves at **09:10** from pier 2.

| Departure | Pier | Seats |
|---|---|---|
| 09:10 | 2 | 41 |
| 10:40 | 2 | 118 |
| 12:10 | 1 | 164 |

- Two pieces of luggage travel free of charge [1].
- A bicycle costs 6.50 € each way [1][2].`;

async function members(server: Server, place: string) {
  const found: Record<string, string> = {};
  for (const [name, nickname, role] of [
    ["grace", "Grace Okafor", "admin"],
    ["linxiao", "林晓", "editor"],
    ["tombecker", "Tom Becker", "viewer"],
  ] as const) {
    const { user } = await server.call<{ user: Made }>("POST", "/admin/v1/users", {
      name,
      nickname,
    });
    await server.call("POST", `${place}/members`, { user_id: user.id, role });
    found[name] = user.id;
  }
  return found;
}

/** What a passenger asked by a colleague's token, and what the desk thought of the answer. */
async function passenger(server: Server, place: string, agent: string): Promise<string> {
  const made = await server.call<{ token: string; user: Made }>("POST", "/admin/v1/users", {
    name: "harbour-app",
    nickname: "Harbour app",
  });
  await server.call("POST", `${place}/members`, { user_id: made.user.id, role: "editor" });
  let id = "";
  for (const content of ["When does the ferry to Norderney leave?", "And may my dog come along?"]) {
    const answer = await fetch(
      `${server.url}/v3/chat${id && `?conversation_id=${encodeURIComponent(id)}`}`,
      {
        method: "POST",
        headers: { Authorization: `Bearer ${made.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          bot_id: agent,
          user_id: "passenger-1207",
          stream: true,
          additional_messages: [{ role: "user", content, content_type: "text" }],
        }),
      },
    );
    id = /"conversation_id":"(\d+)"/.exec(await answer.text())?.[1] ?? "";
  }
  const said = await server.call<{ items: { id: string; type: string }[] }>(
    "GET",
    `/admin/v1/conversations/${id}/transcript`,
  );
  const answered = said.items.find((each) => each.type === "answer");
  await fetch(
    `${server.url}/admin/v1/conversations/${id}/messages/${answered?.id ?? ""}/feedback`,
    {
      method: "PUT",
      headers: { Authorization: `Bearer ${made.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ feedback_type: "unlike", comment: "Says nothing of the fee." }),
    },
  );
  return id;
}

/** A question whose request names words to find it by. */
async function tagged(server: Server, agent: string, content: string) {
  const response = await fetch(`${server.url}/admin/v1/agents/${agent}/chats`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${server.token}`,
      "Content-Type": "application/json",
      "Coterie-Tags": "summer, beta",
    },
    body: JSON.stringify({ version: "draft", content }),
  });
  const begun: { run_id: string; conversation_id: string } = JSON.parse(await response.text());
  return begun;
}

async function talked(server: Server, agents: { guide: string; desk: string }) {
  const ask = (agent: string, content: string) =>
    server.call<{ run_id: string; conversation_id: string }>(
      "POST",
      `/admin/v1/agents/${agent}/chats`,
      { version: "draft", content },
    );
  const run = await ask(agents.guide, "When does the next ferry to Norderney leave?");
  await ask(agents.guide, "我可以带狗上船吗？");
  const again = await tagged(server, agents.guide, "How much is a bicycle?");
  const waiting = await ask(agents.desk, "Please cancel A-7731");
  for (const model of [agents.guide, agents.guide])
    await server.call("POST", "/v1/chat/completions", {
      model,
      messages: [{ role: "user", content: "Is there a ferry at noon?" }],
    });
  for (const each of [run, again])
    await expect
      .poll(() =>
        server.call("GET", `/admin/v1/traces/${each.run_id}`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  return {
    run: run.run_id,
    again: again.run_id,
    chat: run.conversation_id,
    waiting: waiting.conversation_id,
  };
}
