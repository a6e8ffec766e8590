// Scenarios of the client libraries, done with the TypeScript one.
//
// Reads {url, token, places, scenarios} as JSON, writes one line for each result.
import { text as readAll } from "node:stream/consumers";
import { Coterie, CoterieError } from "./dist/index.js";

async function ask(client, { agent, message, tool }) {
  const tools = tool ? [{ name: tool }] : [];
  const answer = await client.chats.create({ agent, message, tools });
  return { text: answer.text, status: answer.run.status };
}

/** Read a stream, and how often its numbers did not grow. */
async function stream(client, { agent, message }) {
  let [text, seen, breaks] = ["", 0, 0];
  const events = client.chats.stream({ agent, message });
  for await (const event of events) {
    breaks += Number(events.lastSeq <= seen);
    seen = events.lastSeq;
    if (event.type === "message.delta") text += event.text;
  }
  let replayed = "";
  for await (const piece of client.chats.follow(events.runId).text()) replayed += piece;
  return { text, replayed, breaks };
}

async function follow(client, { agent, message }) {
  const { run } = await client.chats.create({ agent, message });
  let [text, last] = ["", ""];
  for await (const event of client.runs.follow(run.id)) {
    last = event.type;
    if (event.type === "message.delta") text += event.text;
  }
  return { text, last };
}

async function runTools(client, { agent, message, tool, output }) {
  const called = [];
  const run = () => {
    called.push(tool);
    return output;
  };
  const answer = await client.chats.runTools({ agent, message, tools: [{ name: tool, run }] });
  return { text: answer.text, called };
}

async function workflow(client, { workflow, inputs, answers }) {
  let run = await client.workflows.run({ workflow, inputs });
  let asked = 0;
  for (const answer of answers) {
    asked += run.questions.length;
    run = await client.workflows.answer(run, answer);
  }
  return { output: run.output, asked };
}

async function upload(client, { base, name, text, query = "" }) {
  const data = new TextEncoder().encode(text);
  const [document] = await client.documents.add(base, [{ name, data }], { wait: true });
  const found = await client.datasets.search({ query, dataset_ids: [base] });
  return { status: document.status, found: found.items[0].content };
}

async function pages(client, { base, document, size }) {
  const ids = [];
  const first = await client.slices.list(base, { document_id: document, page_size: size });
  for await (const slice of first) ids.push(slice.slice_id);
  return { count: ids.length, different: new Set(ids).size };
}

async function cancel(client, { agent, message }) {
  const stream = client.chats.stream({ agent, message });
  for await (const _ of stream.text()) await stream.cancel();
  return {};
}

async function repeat(client, { agent, message }) {
  const options = { idempotencyKey: "the-same-again" };
  const runs = new Set();
  for (const _ of [1, 2]) runs.add((await client.chats.create({ agent, message }, options)).run.id);
  return { runs: runs.size };
}

async function converse(client, { agent, messages }) {
  const runs = [];
  for (const message of messages) {
    const conversation = runs.at(-1)?.conversation_id;
    runs.push((await client.chats.create({ agent, message, conversation })).run);
  }
  const count = (key) => new Set(runs.map((run) => run[key])).size;
  return { conversations: count("conversation_id"), runs: count("id") };
}

async function refused(_, { answers }, url) {
  const classes = [];
  for (const [status, code] of answers) {
    const there = new Coterie({ baseUrl: `${url}/${status}/${code}`, token: "t", retries: 0 });
    try {
      await there.users.getMe();
    } catch (error) {
      if (error.status !== status || error.code !== code) throw error;
      classes.push(error.constructor.name);
    }
  }
  return { classes };
}

async function flaky(_, { path }, url) {
  const there = new Coterie({ baseUrl: url + path, token: "t" });
  return { user: (await there.users.getMe()).user_name };
}

async function old(client, given, url) {
  const { warn } = console;
  let warned = false;
  console.warn = (text) => {
    warned = warned || text.includes("needs");
  };
  try {
    return { ...(await flaky(client, given, url)), warned };
  } finally {
    console.warn = warn;
  }
}

const CALLS = {
  ...{ ask, stream, follow, run_tools: runTools, workflow, upload, pages },
  ...{ cancel, repeat, converse, refused, flaky, old },
};

const given = JSON.parse(await readAll(process.stdin));
for (const scenario of given.scenarios) {
  const baseUrl = given.places[scenario.through] ?? given.url;
  const client = new Coterie({ baseUrl, token: scenario.token ?? given.token, retries: 5 });
  let result;
  try {
    result = await CALLS[scenario.call](client, scenario.with, baseUrl);
  } catch (error) {
    if (!(error instanceof CoterieError)) throw error;
    result = { error: error.constructor.name, code: error.code, message: error.message };
  }
  console.log(JSON.stringify({ name: scenario.name, result }));
}
