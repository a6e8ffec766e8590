// Chat page of a share link: one script without a framework; elements only, never HTML.

import { into } from "./markdown.js";

const page = JSON.parse(document.getElementById("page").textContent);
const { link, words, code } = page;
const base = `/s/${code}/api`;
const isEmbedded = page.isEmbedded && window.parent !== window;
const root = document.getElementById("app");

// ---------------------------------------------------------------- words and elements

const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));

function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

const PATHS = {
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  stop: "M4 4h8v8H4z",
  new: "M8 3.5v9M3.5 8h9",
  history: "M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2.5V5H5M8 5v3.2l2 1.3",
  close: "m4 4 8 8M12 4l-8 8",
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  done: "m3 8.5 3.2 3.2L13 5",
  like: "M5 13V7l3-5c1 0 1.6.7 1.4 1.8L9 6.5h3.2c.9 0 1.5.8 1.3 1.6l-1 4c-.1.6-.6.9-1.2.9zM5 7H2.8v6H5",
  unlike: "M11 3v6l-3 5c-1 0-1.6-.7-1.4-1.8L7 9.5H3.8c-.9 0-1.5-.8-1.3-1.6l1-4c.1-.6.6-.9 1.2-.9zM11 9h2.2V3H11",
  file: "M9 2.5H4.5v11h7V5zM9 2.5V5h2.5",
  attach: "M14.2 7.3 8.2 13.3a3.9 3.9 0 0 1-5.5-5.5l6-6a2.6 2.6 0 0 1 3.7 3.7l-6 6a1.3 1.3 0 0 1-1.9-1.9l5.5-5.5",
  go: "m6 3.5 4.5 4.5L6 12.5",
  down: "M8 3v10M3.5 8.5 8 13l4.5-4.5",
  tool: "M9.5 2.5a3.5 3.5 0 0 0-3 5L2.5 11.5l2 2 4-4a3.5 3.5 0 0 0 5-3l-2 1-2-2z",
  search: "M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.7 10.7 14 14",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

const tool = (name, label, onclick, more = {}) =>
  h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick, ...more },
    icon(name));

function avatar(size = "") {
  const box = h("span", { class: `avatar ${size}`, "aria-hidden": "true" });
  if (link.iconUrl) box.append(h("img", { src: link.iconUrl, alt: "" }));
  else box.append([...link.name][0]?.toUpperCase() ?? "");
  return box;
}

function copyButton(textOf) {
  const button = tool("copy", say("copy"), async () => {
    try {
      await navigator.clipboard.writeText(textOf());
      button.replaceChildren(icon("done"));
      announce(say("copied"));
      setTimeout(() => button.replaceChildren(icon("copy")), 1500);
    } catch {
      announce(say("not_copied"));
    }
  });
  return button;
}

// ---------------------------------------------------------------- what the browser keeps

/** Storage of the frame; where that is blocked, the page around keeps it for us. */
const kept = {
  name: `coterie:${code}`,
  values: {},
  read() {
    try {
      this.values = JSON.parse(localStorage.getItem(this.name) ?? "{}") ?? {};
    } catch {
      this.isBlocked = true;
    }
  },
  set(changes) {
    Object.assign(this.values, changes);
    try {
      localStorage.setItem(this.name, JSON.stringify(this.values));
    } catch {
      this.isBlocked = true;
    }
    if (this.isBlocked) tell("store", { values: this.values });
  },
};
kept.read();

// ---------------------------------------------------------------- the page around

let host = null;

function tell(type, more = {}) {
  if (isEmbedded && host) window.parent.postMessage({ coterie: 1, code, type, ...more }, host);
}

/** The page around names itself; the browser says whether that is true. */
function hostOrigin() {
  const found = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin);
  return found && (found === location.origin || page.origins.includes(found)) ? found : null;
}

const isNamed = link.auth === "user_token" || link.auth === "hook";
/** A page that stands alone is given the token behind the #, which no server's log sees. */
let userToken = isNamed ? new URLSearchParams(location.hash.slice(1)).get("token") ?? "" : "";
let waitForUser = null;
let isShown = !isEmbedded;

function hear(event) {
  if (event.source !== window.parent || event.origin !== host) return;
  const said = event.data;
  if (said?.coterie !== 1 || said.code !== code) return;
  if (said.type === "init" && said.values && kept.isBlocked) kept.values = { ...said.values };
  if ((said.type === "init" || said.type === "user") && typeof said.token === "string") {
    const isNew = said.token !== userToken;
    userToken = said.token;
    if (said.token && waitForUser) waitForUser();
    else if (said.type === "user" && isNew && session.token) restart();
  }
  if (said.type === "init") initialised();
  if (said.type === "shown") {
    isShown = said.isShown === true;
    if (isShown) field?.focus({ preventScroll: true });
  }
  if (said.type === "send" && typeof said.text === "string") ask(said.text.slice(0, 20000));
}

let initialised = () => {};
const initial = new Promise((done) => {
  initialised = done;
});

// ---------------------------------------------------------------- requests

class Refused extends Error {
  constructor(status, body) {
    super(body?.msg ?? "");
    this.status = status;
    this.reason = body?.error?.detail ?? "";
    this.code = body?.code ?? 0;
    this.resetsAt = body?.error?.resets_at ?? 0;
  }
}

const session = { token: "", until: 0, opening: null };

async function request(method, path, { body, headers = {}, signal } = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: {
      ...(body && !(body instanceof FormData) ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    body: body instanceof FormData || body === undefined ? body : JSON.stringify(body),
    credentials: link.auth === "sign_in" ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  });
  if (answer.ok) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => null));
}

async function open(proof = {}) {
  const shown = { source: page.isEmbedded ? "embed" : "share_link", ...proof };
  if (kept.values.key && !isNamed) shown.key = kept.values.key;
  if (isNamed) shown.user_token = userToken;
  const opened = await (await request("POST", "/session", { body: shown })).json();
  session.token = opened.token;
  session.until = opened.expires_at * 1000 - 30000;
  if (opened.key && link.keepsHistory) kept.set({ key: opened.key });
  else if (opened.key) kept.values.key = opened.key; // for as long as the page is open
}

/** Sends a request with a valid token; a session that has ended is opened once more. */
async function call(method, path, options = {}) {
  for (let tries = 0; ; tries += 1) {
    if (!session.token || Date.now() > session.until) {
      session.opening ??= open().finally(() => {
        session.opening = null;
      });
      await session.opening;
    }
    try {
      const headers = { ...options.headers, Authorization: `Bearer ${session.token}` };
      return await request(method, path, { ...options, headers });
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401 || tries) throw error;
      session.token = "";
    }
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Yields the events of a run, over as many connections as it takes, each event once. */
async function* follow(runId, isLeft) {
  let after = 0;
  let failures = 0;
  while (!isLeft()) {
    try {
      const answer = await call("GET", `/runs/${runId}/events?after=${after}`);
      for await (const event of eventsOf(answer.body)) {
        if (isLeft()) return;
        if (event.type === "error") break;
        failures = 0;
        after = Math.max(after, event.seq);
        yield event;
        if (/^run\.(?:completed|failed|canceled|requires_action)$/.test(event.type)) return;
      }
    } catch (error) {
      if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error;
    }
    failures += 1;
    if (failures > 1) offline(failures);
    await pause(Math.min(8000, 250 * 2 ** failures));
  }
}

async function* eventsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const frames = text.split("\n\n");
      text = frames.pop();
      for (const frame of frames) {
        const lines = frame.split("\n");
        const data = lines.find((line) => line.startsWith("data: "));
        const seq = lines.find((line) => line.startsWith("id: "));
        if (data) yield { ...JSON.parse(data.slice(6)), seq: seq ? Number(seq.slice(4)) : 0 };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// ---------------------------------------------------------------- the chat on screen

let turns = null;
let scroller = null;
let jump = null;
let live = null;
let field = null;
let sendButton = null;
let chosen = [];
let chosenList = null;
let conversation = null;
let run = null;
let view = 0;

function announce(text) {
  if (!live) return;
  live.textContent = "";
  requestAnimationFrame(() => {
    live.textContent = text;
  });
}

const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 48;

function keepEnd(change) {
  const was = isAtEnd();
  change();
  if (was) scroller.scrollTop = scroller.scrollHeight;
  showJump();
}

function showJump() {
  jump.hidden = isAtEnd();
}

function shell() {
  live = h("div", { class: "sr", "aria-live": "polite" });
  turns = h("ol", { class: "turns" });
  jump = h("button", { type: "button", class: "jump", hidden: true, onclick: toEnd }, icon("down"),
    say("newest"));
  scroller = h("main", { tabIndex: -1, "aria-label": say("transcript"), onscroll: showJump },
    h("div", { class: "column" }, turns, jump));
  const head = h("header", {}, avatar(), h("h1", { title: link.name }, link.name),
    link.keepsHistory && tool("history", say("history"), showHistory, { "aria-haspopup": "dialog" }),
    tool("new", say("new_chat"), startAnew),
    isEmbedded && tool("close", say("close"), () => tell("close")));
  root.replaceChildren(head, scroller, dock(), live);
  root.className = `app${page.isEmbedded ? " embed" : ""}`;
}

function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
  field.focus();
}

function welcome() {
  const text = h("div", { class: "text prose" });
  if (link.welcome) into(text, link.welcome, plainContext);
  const list = h("ul", { class: "suggestions" },
    link.suggestions.map((each) => h("li", {}, suggestion(each))));
  turns.replaceChildren(h("li", { class: "welcome" }, avatar("large"), h("h2", {}, link.name),
    link.welcome ? text : null, link.suggestions.length ? list : null));
}

const suggestion = (text) =>
  h("button", { type: "button", onclick: () => ask(text) }, h("span", {}, text), icon("go"));

const plainContext = { copyButton };

function addQuestion(text, files) {
  turns.querySelector(".welcome")?.remove();
  turns.querySelector(".follow-ups")?.remove();
  const item = h("li", { class: "turn asked" }, h("h2", { class: "sr" }, say("you")),
    files.length ? fileList(files) : null, text ? h("div", { class: "question" }, text) : null);
  turns.append(item);
  return item;
}

function fileList(files) {
  return h("ul", { class: "files" }, files.map((file) => {
    const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(file.media_type) && file.url;
    if (isImage) return h("li", {}, h("img", { src: file.url, alt: file.name, loading: "lazy" }));
    return h("li", {}, h("a", { class: "chip", href: file.url || null, target: "_blank",
      rel: "noopener" }, icon("file"), h("span", {}, file.name)));
  }));
}

/** One answer on screen: what was said so far, and what is done about it. */
class Answer {
  constructor() {
    this.steps = h("ol", { class: "steps", hidden: true });
    this.parts = h("div", { class: "turn" });
    this.after = h("div", { class: "turn" });
    this.waiting = h("div", { class: "wait", role: "status" }, h("span", { class: "sr" }, say("thinking")),
      h("i"), h("i"), h("i"));
    this.item = h("li", { class: "turn", "aria-busy": "true" },
      h("h2", { class: "sr" }, link.name), this.steps, this.parts, this.waiting, this.after);
    this.messages = new Map();
    this.changed = new Set();
    turns.append(this.item);
  }

  message(id) {
    let found = this.messages.get(id);
    if (!found) {
      const box = h("div", { class: "prose" });
      const thoughts = h("details", { class: "thoughts", hidden: true },
        h("summary", {}, say("thoughts")), h("div"));
      const place = h("div", { class: "turn" }, thoughts, box);
      found = { box, thoughts, place, text: "", reasoning: "", sources: [], id };
      this.messages.set(id, found);
      this.parts.append(place);
    }
    return found;
  }

  /** Paints what has changed, once per frame however fast it comes. */
  paint(message) {
    this.changed.add(message);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      keepEnd(() => {
        for (const each of this.changed) this.draw(each);
        this.changed.clear();
      });
    });
  }

  draw(message) {
    const { box, thoughts, text, reasoning } = message;
    const context = { copyButton, mark: (n) => sourceMark(message, n), isForced: message.isFinal };
    into(box, text, context);
    thoughts.hidden = !reasoning;
    thoughts.lastChild.textContent = reasoning;
    if (text) this.waiting.hidden = true;
  }

  step(id, name, isFailed, detail) {
    let found = this.steps.querySelector(`[data-id="${CSS.escape(id)}"]`);
    if (!found) {
      found = h("li", { "data-id": id }, icon(name), h("span"));
      this.steps.append(found);
      this.steps.hidden = false;
    }
    found.className = isFailed ? "failed" : "";
    found.lastChild.textContent = detail;
  }

  complete(shown) {
    const message = this.message(shown.id);
    Object.assign(message, { text: shown.text, sources: shown.sources, isFinal: true });
    keepEnd(() => {
      this.draw(message);
      if (shown.files.length) message.place.append(fileList(shown.files));
      if (shown.sources.length) message.place.append(sourceList(message));
      if (shown.is_broken) message.place.append(h("p", { class: "note" }, say("broken")));
      else message.place.append(this.actions(message));
    });
  }

  actions(message) {
    const bar = h("div", { class: "actions" }, copyButton(() => message.text));
    if (!link.takesFeedback) return bar;
    const buttons = ["like", "unlike"].map((verdict) => {
      const button = tool(verdict, say(verdict), async () => {
        const isOn = button.getAttribute("aria-pressed") === "true";
        for (const each of buttons) each.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", String(!isOn));
        const body = { conversation_id: conversation, verdict: isOn ? null : verdict };
        try {
          await call("PUT", `/messages/${message.id}/feedback`, { body });
          announce(say(isOn ? "feedback_taken" : "feedback_given"));
        } catch (error) {
          button.setAttribute("aria-pressed", String(isOn));
          announce(wordsOf(error));
        }
      }, { "aria-pressed": "false" });
      return button;
    });
    bar.append(...buttons);
    return bar;
  }

  fail(text, again) {
    this.waiting.hidden = true;
    keepEnd(() => {
      this.after.append(h("p", { class: "note", role: "alert" }, text,
        again ? h("span", {}, " ", h("button", { type: "button", onclick: again }, say("again"))) : null));
    });
  }

  finish() {
    this.waiting.hidden = true;
    this.item.removeAttribute("aria-busy");
    const said = [...this.messages.values()].map((each) => each.box.textContent).join(" ");
    if (said) announce(said.slice(0, 2000));
  }
}

function sourceMark(message, n) {
  const found = message.sources.find((each) => each.n === n);
  if (!found) return null;
  const label = found.page ? `${found.document_name}, ${say("page", found)}` : found.document_name;
  return h("a", { class: "mark", href: `#source-${message.id}-${n}`, title: label,
    "aria-label": say("source", { n, name: label }) }, String(n));
}

function sourceList(message) {
  return h("ol", { class: "sources", "aria-label": say("sources") }, message.sources.map((each) => {
    const title = each.page ? `${each.document_name}, ${say("page", each)}` : each.document_name;
    const isOpen = /^https?:\/\//.test(each.url);
    const name = isOpen
      ? h("a", { href: each.url, target: "_blank", rel: "noopener noreferrer nofollow" }, title)
      : h("span", {}, title);
    return h("li", { id: `source-${message.id}-${each.n}`, tabIndex: -1 },
      h("span", { class: "mark", "aria-hidden": "true" }, String(each.n)),
      h("div", {}, name, each.quote ? h("q", {}, each.quote) : null));
  }));
}

function seconds(ms) {
  const number = new Intl.NumberFormat(page.language, { maximumFractionDigits: 1 });
  return ms < 1000 ? `${ms} ms` : `${number.format(ms / 1000)} s`;
}

// ---------------------------------------------------------------- asking

function wordsOf(error) {
  if (!(error instanceof Refused)) return say("unreachable");
  if (error.code === 4028) return usedUp(error.resetsAt);
  if (error.status === 429) return say("too_often");
  if (error.status === 409) return say("busy");
  if (error.status >= 500) return say("defect");
  return error.message || say("defect");
}

/** Names no budget: what those are called is not a visitor's to know. */
function usedUp(resetsAt) {
  if (!resetsAt) return say("budget");
  const format = new Intl.DateTimeFormat(page.language, { dateStyle: "medium", timeStyle: "short" });
  return say("budget_until", { time: format.format(resetsAt * 1000) });
}

function offline(failures) {
  if (failures === 2) announce(say("reconnecting"));
}

async function ask(text, files = []) {
  if (run || (!text.trim() && !files.length)) return;
  const mine = view;
  run = { id: null };
  showRunning();
  const question = addQuestion(text, files);
  const answer = new Answer();
  toEnd();
  try {
    const body = { content: text };
    if (conversation) body.conversation_id = conversation;
    if (files.length) body.file_ids = files.map((file) => file.id);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const begun = await (await call("POST", "/chats", { body, headers: key })).json();
    if (mine !== view) return;
    conversation = begun.conversation_id;
    remember();
    run.id = begun.run_id;
    if (run.isStopped) cancel();
    await show(answer, begun.run_id, mine);
  } catch (error) {
    if (mine !== view) return;
    if (isClosing(error)) return closed(error);
    answer.fail(wordsOf(error), () => {
      question.remove();
      answer.item.remove();
      ask(text, files);
    });
    tell("error", { reason: error.reason ?? "unreachable", message: wordsOf(error) });
  } finally {
    if (mine === view) {
      answer.finish();
      run = null;
      showRunning();
    }
  }
}

const isClosing = (error) =>
  error instanceof Refused && ["share_link_closed", "share_link_not_found"].includes(error.reason.replaceAll("-", "_"));

/** Shows a run from its first event to its end, or until the page shows something else. */
async function show(answer, runId, mine) {
  const followUps = [];
  for await (const event of follow(runId, () => mine !== view)) {
    switch (event.type) {
      case "message.started":
        answer.message(event.message_id);
        break;
      case "message.delta": {
        const message = answer.message(event.message_id);
        message.text += event.text;
        message.reasoning += event.reasoning;
        answer.paint(message);
        break;
      }
      case "message.replaced": {
        const message = answer.message(event.message_id);
        Object.assign(message, { text: event.text, reasoning: event.reasoning });
        answer.paint(message);
        break;
      }
      case "message.completed":
        if (event.message.type === "follow_up") followUps.push(event.message.text);
        else {
          answer.complete(event.message);
          tell("message", { text: event.message.text });
          if (!isShown) tell("unread");
        }
        break;
      case "knowledge.recalled":
        answer.step(`k${event.seq}`, "search", event.is_failed,
          say(event.is_failed ? "search_failed" : "searched",
            { count: event.count, time: seconds(event.duration_ms) }));
        break;
      case "tool.started":
        answer.step(event.call_id, "tool", false, say("calling", event));
        break;
      case "tool.completed":
        answer.step(event.call_id, "tool", event.is_error,
          say(event.is_error ? "call_failed" : "called",
            { name: event.name, time: seconds(event.duration_ms) }));
        break;
      case "run.requires_action":
        if (event.calls.length) return awaitPerson(answer, runId, event.calls, mine);
        return undefined;
      case "run.failed":
        answer.fail(event.code === 4028 ? usedUp(0) : event.message || say("defect"));
        break;
      case "run.canceled":
        keepEnd(() => answer.after.append(h("p", { class: "steps" }, say("stopped"))));
        break;
      default:
    }
  }
  if (followUps.length) {
    keepEnd(() => turns.append(h("li", { class: "follow-ups" }, h("ul", { class: "suggestions",
      "aria-label": say("go_on") }, followUps.map((each) => h("li", {}, suggestion(each)))))));
  }
  return undefined;
}

/** Asks the person before tools go on; what a page cannot run is refused. */
async function awaitPerson(answer, runId, calls, mine) {
  answer.waiting.hidden = true;
  const given = await new Promise((decide) => {
    const card = h("div", { class: "call", role: "group", "aria-label": say("consent") },
      h("b", {}, say("consent")),
      calls.map((each) => h("div", {}, h("div", {}, each.name),
        each.arguments ? h("pre", {}, pretty(each.arguments)) : null)),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button main", onclick: () => done("allow") }, say("allow")),
        h("button", { type: "button", class: "button", onclick: () => done("deny") }, say("deny"))));
    const done = (decision) => {
      card.remove();
      decide(decision);
    };
    keepEnd(() => answer.after.append(card));
    card.querySelector("button").focus();
  });
  if (mine !== view) return;
  answer.waiting.hidden = false;
  const output = JSON.stringify({ approved: given === "allow" });
  const outputs = calls.map((each) => ({ id: each.id, output }));
  await call("POST", `/runs/${runId}/tool-outputs`, { body: { outputs } });
  await show(answer, runId, mine);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function cancel() {
  if (!run) return;
  run.isStopped = true;
  if (run.id) await call("POST", `/runs/${run.id}/cancel`).catch(() => {});
}

// ---------------------------------------------------------------- composer

function dock() {
  field = h("textarea", { rows: 1, maxLength: 20000, enterkeyhint: "send",
    placeholder: say("placeholder"), "aria-label": say("placeholder"), oninput: fit,
    onkeydown: (event) => {
      const isSend = event.key === "Enter" && !event.shiftKey && !event.isComposing;
      if (isSend && event.keyCode !== 229) {
        event.preventDefault();
        submit();
      }
    },
    onpaste: (event) => {
      if (link.allowsFiles && event.clipboardData.files.length) {
        event.preventDefault();
        addFiles(event.clipboardData.files);
      }
    } });
  sendButton = h("button", { type: "submit", class: "send" });
  chosenList = h("ul", { class: "files", hidden: true });
  const picker = h("input", { type: "file", multiple: true, hidden: true,
    onchange: () => {
      addFiles(picker.files);
      picker.value = "";
    } });
  const form = h("form", { class: "composer", onsubmit: (event) => {
    event.preventDefault();
    if (run) cancel();
    else submit();
  } }, chosenList, h("div", { class: "line" },
    link.allowsFiles && tool("attach", say("attach"), () => picker.click()),
    link.allowsFiles && picker, field, sendButton));
  if (link.allowsFiles) {
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      addFiles(event.dataTransfer.files);
    });
  }
  showRunning();
  return h("footer", { class: "dock" }, form, h("div", { class: "foot" }, link.footer));
}

function fit() {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 288)}px`;
  showRunning();
}

function showRunning() {
  if (!sendButton) return;
  const label = say(run ? "stop" : "send");
  sendButton.replaceChildren(icon(run ? "stop" : "send"));
  sendButton.setAttribute("aria-label", label);
  sendButton.title = label;
  const isEmpty = !field?.value.trim() && !chosen.some((each) => each.id);
  sendButton.disabled = !run && (isEmpty || chosen.some((each) => each.isSending));
}

function submit() {
  if (run || sendButton.disabled) return;
  const text = field.value;
  const files = chosen.filter((each) => each.id);
  field.value = "";
  chosen = [];
  showChosen();
  fit();
  ask(text.trim(), files);
}

function addFiles(files) {
  for (const file of [...files].slice(0, 20 - chosen.length)) {
    const entry = { name: file.name, isSending: true, media_type: file.type, url: "" };
    chosen.push(entry);
    upload(file, entry);
  }
  showChosen();
}

async function upload(file, entry) {
  const form = new FormData();
  form.append("file", file, file.name);
  try {
    Object.assign(entry, await (await call("POST", "/files", { body: form })).json());
  } catch (error) {
    entry.failure = wordsOf(error);
    announce(entry.failure);
  }
  entry.isSending = false;
  showChosen();
}

function showChosen() {
  chosenList.replaceChildren(...chosen.map((each) => h("li", {}, h("span", {
    class: each.failure ? "chip failed" : "chip", title: each.failure ?? each.name },
  icon("file"), h("span", {}, each.isSending ? say("sending", each) : each.name),
  h("button", { type: "button", "aria-label": say("remove", each), onclick: () => {
    chosen = chosen.filter((other) => other !== each);
    showChosen();
  } }, icon("close"))))));
  chosenList.hidden = !chosen.length;
  showRunning();
}

// ---------------------------------------------------------------- conversations

const remember = () => link.keepsHistory && kept.set({ conversation });

function startAnew() {
  view += 1;
  run = null;
  conversation = null;
  remember();
  welcome();
  showRunning();
  field.focus();
}

async function load(id) {
  view += 1;
  const mine = view;
  run = null;
  conversation = id;
  remember();
  turns.replaceChildren();
  showRunning();
  const found = await (await call("GET", `/conversations/${id}/messages?limit=100`)).json();
  if (mine !== view) return;
  let answer = null;
  let isOpen = "";
  const begun = (message) => {
    answer ??= new Answer();
    answer.waiting.hidden = true;
    return message;
  };
  for (const message of found.items) {
    if (message.type === "question") {
      answer?.item.removeAttribute("aria-busy");
      answer = null;
      addQuestion(message.text, message.files);
      isOpen = message.run_id ?? "";
    } else if (message.type === "answer") {
      begun(message);
      answer.complete(message);
      isOpen = "";
    }
  }
  answer?.item.removeAttribute("aria-busy");
  if (!found.items.length) welcome();
  scroller.scrollTop = scroller.scrollHeight;
  showJump();
  if (!isOpen) return;
  run = { id: isOpen };
  showRunning();
  answer = new Answer();
  try {
    await show(answer, isOpen, mine);
  } catch (error) {
    if (mine === view && !(error instanceof Refused && error.status === 404)) answer.fail(wordsOf(error));
  } finally {
    if (mine === view) {
      answer.finish();
      run = null;
      showRunning();
    }
  }
}

async function showHistory() {
  const list = h("ul");
  const dialog = h("dialog", { "aria-label": say("history"), onclose: () => dialog.remove(),
    onclick: (event) => event.target === dialog && dialog.close() },
  h("div", { class: "bar" }, h("h2", {}, say("history")),
    tool("close", say("close"), () => dialog.close())), list);
  root.append(dialog);
  dialog.showModal();
  try {
    const found = await (await call("GET", "/conversations")).json();
    const time = new Intl.DateTimeFormat(page.language, { dateStyle: "medium", timeStyle: "short" });
    list.replaceChildren(...found.items.map((each) => h("li", {}, h("button", { type: "button",
      "aria-current": each.id === conversation ? "true" : null,
      onclick: () => {
        dialog.close();
        load(each.id).catch((error) => announce(wordsOf(error)));
      } }, h("b", {}, each.name || say("untitled")),
    h("time", {}, time.format(new Date(each.updated_at * 1000)))))));
    if (!found.items.length) list.replaceWith(h("p", {}, say("no_history")));
  } catch (error) {
    list.replaceWith(h("p", {}, wordsOf(error)));
  }
}

// ---------------------------------------------------------------- gates

function gate(...children) {
  root.className = page.isEmbedded ? "embed" : "";
  live = null;
  root.replaceChildren(h("main", { class: "gate" }, avatar("large"), ...children,
    isEmbedded ? h("button", { type: "button", class: "button", onclick: () => tell("close") }, say("close")) : null));
}

function closed(error) {
  gate(h("h1", {}, say("closed")), h("p", {}, error.message || say("closed_text")));
  tell("error", { reason: error.reason, message: error.message });
}

function askPassword(error) {
  const input = h("input", { type: "password", name: "password", required: true,
    autocomplete: "current-password", maxLength: 256, "aria-describedby": "refusal" });
  const refusal = h("p", { id: "refusal", class: "note", role: "alert", hidden: !error });
  if (error) refusal.textContent = error;
  gate(h("h1", {}, link.name), h("p", {}, say("password_text")),
    h("form", { onsubmit: async (event) => {
      event.preventDefault();
      const button = event.target.querySelector("button");
      button.disabled = true;
      try {
        await open({ password: input.value });
        await begin();
      } catch (failure) {
        askPassword(passwordWords(failure));
      }
    } }, h("label", {}, say("password"), input), refusal,
    h("button", { type: "submit", class: "button main" }, say("enter"))));
  input.focus();
}

const passwordWords = (error) =>
  error instanceof Refused && error.status === 401 ? say("password_wrong") : wordsOf(error);

/** A frame on another site never has the session: there the chat opens in a tab of its own. */
function askSignIn() {
  const here = encodeURIComponent(location.pathname);
  const href = isEmbedded ? location.pathname : `/console/sign-in?return_to=${here}`;
  gate(h("h1", {}, link.name), h("p", {}, say("sign_in_text")),
    h("a", { href, class: "button main", target: isEmbedded ? "_blank" : null },
      say(isEmbedded ? "open_tab" : "sign_in")));
}

function awaitUser() {
  gate(h("h1", {}, link.name), h("p", {}, say("user_text")));
  tell("error", { reason: "user_token", message: say("user_text") });
  return new Promise((done) => {
    waitForUser = () => {
      waitForUser = null;
      done();
    };
  });
}

function restart() {
  session.token = "";
  conversation = null;
  view += 1;
  run = null;
  begin().catch(closed);
}

async function begin() {
  if (!session.token) await enter();
  shell();
  const last = link.keepsHistory ? kept.values.conversation : null;
  if (!last) welcome();
  else await load(last).catch(startAnew);
  if (!isEmbedded || isShown) field.focus({ preventScroll: true });
  tell("ready");
}

/** Opens a session with what is known; asks for what is missing. */
async function enter() {
  for (;;) {
    if (isNamed && !userToken) await awaitUser();
    const shown = userToken;
    try {
      await open();
      return;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      if (link.auth === "password") {
        kept.set({ key: "" });
        throw error;
      }
      if (!isNamed) throw error;
      if (userToken === shown) userToken = ""; // else another one has come meanwhile
    }
  }
}

async function start() {
  if (isEmbedded) {
    host = hostOrigin();
    window.addEventListener("message", hear);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
        tell("close");
      }
    });
    tell("hello", { isBlocked: kept.isBlocked === true });
    if (host) await Promise.race([initial, pause(3000)]);
  }
  try {
    await begin();
  } catch (error) {
    const isAsked = error instanceof Refused && error.status === 401;
    if (link.auth === "password" && isAsked) askPassword("");
    else if (link.auth === "sign_in" && isAsked) askSignIn();
    else if (error instanceof Refused && error.status === 403) closed(error);
    else if (isClosing(error)) closed(error);
    else {
      gate(h("h1", {}, link.name), h("p", { role: "alert" }, wordsOf(error)),
        h("button", { type: "button", class: "button", onclick: () => start() }, say("again")));
    }
    tell("ready");
  }
}

start();
