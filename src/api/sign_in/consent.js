// Consent of a person: shows what an application asks for, and sends the answer. Makes elements
// only, never HTML; names of applications and workspaces are other people's words.
"use strict";

const words = JSON.parse(document.getElementById("words").textContent);
const main = document.querySelector("main");
const query = new URLSearchParams(location.search);
let csrf = "";

function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function said(word, values = {}) {
  return words[word].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function show(title, ...parts) {
  main.replaceChildren(element("h1", title), ...parts);
}

function tell(word, values) {
  show(main.querySelector("h1").textContent, element("p", said(word, values), { role: "status" }));
}

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(method, path, body) {
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["coterie-csrf"] = csrf;
  const answer = await fetch(`/admin/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, told.msg || String(answer.status));
  return told;
}

function toSignIn() {
  const back = encodeURIComponent(location.pathname + location.search);
  location.replace(`/console/sign-in?return_to=${back}`);
}

function guarded(step) {
  return async (event) => {
    event?.preventDefault();
    for (const each of main.querySelectorAll("button")) each.disabled = true;
    try {
      await step();
    } catch (error) {
      if (error.status === 401) return toSignIn();
      for (const each of main.querySelectorAll("button")) each.disabled = false;
      main.querySelector("[role=alert]")?.remove();
      main.append(element("p", said("failed", { message: error.message }), { role: "alert" }));
    }
  };
}

function showRequest(asked, user) {
  const list = element("ul");
  list.append(...asked.permissions.map((each) => element("li", words.permissions[each] || each)));
  const parts = [
    element("p", said("from", { space: asked.app_space, user }), { class: "quiet" }),
    element("p", said("may")),
    list,
  ];
  const approve = element("button", said("approve"), { class: "main", type: "button" });
  const deny = element("button", said("deny"), { type: "button" });
  const select = element("select", "", { name: "workspace" });
  for (const each of asked.workspaces) {
    select.append(element("option", each.name, { value: each.id }));
  }
  if (asked.workspaces.length) {
    const label = element("label", said("workspace"));
    label.append(select);
    parts.push(label);
  } else {
    approve.hidden = true;
    parts.push(element("p", said("nowhere"), { role: "alert" }));
  }
  if (asked.redirect_host) {
    parts.push(element("p", said("goes", { host: asked.redirect_host }), { class: "quiet" }));
  }
  const answer = (decision) =>
    guarded(async () => {
      const body = { decision };
      if (decision === "approve") body.workspace_id = select.value;
      const path = `/oauth-requests/${encodeURIComponent(asked.id)}`;
      const { url } = await ask("POST", path, body);
      if (url) return location.assign(url);
      tell(decision === "approve" ? "done" : "refused");
    });
  approve.addEventListener("click", answer("approve"));
  deny.addEventListener("click", answer("deny"));
  show(said("asks", { app: asked.app_name }), ...parts, approve, deny);
}

function showCode(user) {
  const form = element("form");
  const label = element("label", said("code"));
  const input = element("input", "", {
    name: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: "20",
    required: "",
  });
  input.value = query.get("user_code") || "";
  label.append(input);
  form.append(label, element("button", said("next"), { class: "main" }));
  form.addEventListener(
    "submit",
    guarded(async () => {
      const found = await ask("POST", "/oauth-requests:device", { user_code: input.value });
      showRequest(found, user);
    }),
  );
  show(said("device"), element("p", said("typed")), form);
  input.focus();
}

guarded(async () => {
  const session = await ask("GET", "/auth/session");
  csrf = session.csrf;
  const user = session.user.nickname || session.user.name;
  if (main.dataset.page === "device") return showCode(user);
  const name = query.get("request");
  if (!name) return tell("missing");
  showRequest(await ask("GET", `/oauth-requests/${encodeURIComponent(name)}`), user);
})();
