"use strict";

const API = "/admin/v1/auth/";
const texts = document.getElementById("texts").dataset;
const { page, home } = document.body.dataset;
const message = document.getElementById("message");
let csrf = "";

function byId(id) {
  return document.getElementById(id);
}

function say(kind, text) {
  message.className = `note ${kind}`;
  message.textContent = text;
  message.hidden = !text;
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

async function ask(method, path, body) {
  const headers = { Accept: "application/json" };
  if (csrf) headers["Coterie-CSRF"] = csrf;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(API + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new Error(texts.unreachable);
  }
  if (answer.status === 204) return answer.headers.get("Location");
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  throw Object.assign(new Error(reason(answer, said)), { status: answer.status });
}

function reason(answer, said) {
  const detail = said.error?.detail ?? "";
  const known = detail.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  if (answer.status === 429) {
    const minutes = Math.max(1, Math.ceil(Number(answer.headers.get("Retry-After") ?? 60) / 60));
    return fill(texts.rateLimited, { minutes });
  }
  return texts[known] ?? fill(texts.failed, { message: said.msg ?? answer.status });
}

function onSubmit(id, action) {
  const form = byId(id);
  if (!form) return;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button[type=submit]");
    button.disabled = true;
    say("", "");
    try {
      await action(new FormData(form), form);
    } catch (error) {
      say("bad", error.message);
      form.querySelector("input[type=password]")?.select();
    } finally {
      button.disabled = false;
    }
  });
}

/** Where to go after signing in: a page of the console or a shared chat, never another site. */
function target() {
  const wanted = new URLSearchParams(location.search).get("return_to");
  if (!wanted) return home;
  const url = new URL(wanted, location.origin);
  const isOwn = url.origin === location.origin && /^\/(?:console|s)\//.test(url.pathname);
  return isOwn ? url.pathname + url.search : home;
}

function prefer(language, theme) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie =
    `coterie_ui=${language}.${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  location.replace(location.pathname + (hiddenQuery || location.search));
}

/** What the address showed before it left the history, for the page in another language. */
let hiddenQuery = "";
const root = document.documentElement;
for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => prefer(button.dataset.language, root.className));
}
for (const button of document.querySelectorAll("[data-theme]")) {
  button.addEventListener("click", () => prefer(root.lang, button.dataset.theme));
}

/** Why a provider's sign-in came to nothing, said once: the address does not keep it. */
function sayRefusal() {
  const query = new URLSearchParams(location.search);
  const refusal = query.get("refused");
  if (!refusal) return;
  const key = `refused-${refusal}`.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase());
  say("bad", texts[key] ?? texts.refusedFailed);
  query.delete("refused");
  history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}`);
}

function signIn() {
  sayRefusal();
  for (const link of document.querySelectorAll("[data-provider]")) {
    link.search = new URLSearchParams({ return_to: target() });
  }
  onSubmit("password-form", async (data) => {
    await ask("POST", "login", {
      name: data.get("name"),
      password: data.get("password"),
      remember: data.has("remember"),
    });
    location.assign(target());
  });
  onSubmit("token-form", async (data) => {
    await ask("POST", "token", {
      token: data.get("token").trim(),
      remember: data.has("remember"),
    });
    location.assign(target());
  });
}

function measured(input) {
  const meter = byId("strength");
  input.addEventListener("input", () => {
    meter.value = Math.min(input.value.length, 20);
  });
}

function welcome() {
  const ticket = new URLSearchParams(location.search).get("ticket") ?? "";
  hiddenQuery = location.search;
  history.replaceState(null, "", location.pathname);
  if (!ticket) {
    say("bad", texts.linkSpent);
    byId("welcome-form").hidden = true;
    return;
  }
  const form = byId("welcome-form");
  if (form.elements.password) measured(form.elements.password);
  onSubmit("welcome-form", async (data) => {
    const name = data.get("nickname")?.trim();
    const password = data.get("password");
    await ask("POST", "ticket", {
      ticket,
      ...(name ? { name } : {}),
      ...(password ? { password } : {}),
      remember: data.has("remember"),
    });
    location.assign(home);
  });
}

/** The code stays in the address for other languages, and leaves the history with the page. */
function invitation() {
  const code = new URLSearchParams(location.search).get("invite") ?? "";
  const form = byId("register-form");
  if (form) measured(form.elements.password);
  onSubmit("join-form", async () => {
    csrf = (await ask("GET", "session")).csrf;
    await ask("POST", "../invitations:accept", { code });
    location.replace(home);
  });
  onSubmit("register-form", async (data) => {
    await ask("POST", "register", {
      code,
      name: data.get("name").trim(),
      password: data.get("password"),
      remember: data.has("remember"),
    });
    location.replace(home);
  });
}

function sessionLine(session) {
  const line = document.createElement("li");
  const what = document.createElement("div");
  const device = document.createElement("strong");
  device.textContent = session.is_current ? texts.thisBrowser : browserOf(session.device);
  const seen = document.createElement("span");
  const when = new Date(session.last_used_at * 1000);
  const spelled = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium", timeStyle: "short" });
  seen.textContent = fill(texts.seen, { address: session.address, when: spelled.format(when) });
  what.append(device, seen);
  line.append(what);
  if (!session.is_current) {
    const end = document.createElement("button");
    end.type = "button";
    end.className = "small";
    end.textContent = texts.end;
    end.setAttribute("aria-label", `${texts.end}: ${device.textContent}`);
    end.addEventListener("click", () => done(() => ask("DELETE", `sessions/${session.id}`)));
    line.append(end);
  }
  return line;
}

function browserOf(device) {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(device)?.[1];
  const known = { Edg: "Edge", OPR: "Opera" };
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(device)?.[1];
  const found = [known[name] ?? name, system].filter(Boolean).join(" · ");
  return found || device.slice(0, 60) || texts.unknownDevice;
}

async function showSessions() {
  const { items } = await ask("GET", "sessions");
  byId("sessions").replaceChildren(...items.map(sessionLine));
  byId("others").hidden = items.length < 2;
}

async function done(action) {
  say("", "");
  try {
    await action();
    await showSessions();
  } catch (error) {
    if (error.status === 401) location.assign("/console/sign-in?return_to=/console/account");
    say("bad", error.message);
  }
}

async function account() {
  await done(async () => {
    const session = await ask("GET", "session");
    csrf = session.csrf;
    const { nickname, name } = session.user;
    byId("who").textContent = nickname.toLowerCase() === name ? name : `${nickname} (${name})`;
    const me = await ask("GET", "me");
    byId("current-field").hidden = !me.has_password;
    byId("username").value = me.name;
  });
  byId("others").addEventListener("click", () => done(() => ask("DELETE", "sessions")));
  const tabs = new BroadcastChannel("coterie");
  tabs.onmessage = () => location.assign("/console/sign-in");
  byId("sign-out").addEventListener("click", async () => {
    let provider;
    try {
      provider = await ask("POST", "logout");
    } catch (error) {
      if (error.status !== 401) return say("bad", error.message);
    }
    tabs.postMessage("signed-out");
    location.assign(provider ?? "/console/sign-in");
  });
  measured(byId("password-form").elements.password);
  onSubmit("password-form", async (data, form) => {
    await ask("PUT", "password", {
      password: data.get("password"),
      ...(data.get("current") ? { current: data.get("current") } : {}),
    });
    form.reset();
    byId("strength").value = 0;
    byId("current-field").hidden = false;
    await showSessions();
    say("ok", texts.passwordChanged);
  });
}

({ "sign-in": signIn, welcome, invitation, account })[page]?.();
