/** Coze's own library: its four ways to a token, each obtained, used, refreshed and ended. */
import { generateKeyPairSync } from "node:crypto";
import {
  CozeAPI,
  PKCEAuthErrorType,
  getDeviceCode,
  getDeviceToken,
  getJWTToken,
  getPKCEAuthenticationUrl,
  getPKCEOAuthToken,
  getWebAuthenticationUrl,
  getWebOAuthToken,
  refreshOAuthToken,
} from "@coze/api";
import { AGENT, QUESTION, SERVER, TOKEN, WORKSPACE, asked, main } from "./task.mjs";

const BACK = "http://127.0.0.1:9/callback";
const STATE = "seen again";
const PERMISSIONS = [
  "chat",
  "conversation.read",
  "conversation.write",
  "message.read",
  "message.write",
  "bot.read",
  "workspace.read",
];

/** Ask the server's own API; return what its JSON says. */
async function own(method, path, body, headers) {
  const answer = await fetch(SERVER + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return [await answer.json(), answer];
}

/** Register an application of a type. */
async function registered(type, more) {
  const path = `/admin/v1/workspaces/${WORKSPACE}/oauth-apps`;
  const body = { name: type, type, permissions: PERMISSIONS, ...more };
  return (await own("POST", path, body, { authorization: `Bearer ${TOKEN}` }))[0];
}

/** Somebody at a browser who is signed in. */
async function person() {
  const page = { "sec-fetch-site": "same-origin" };
  const [session, answer] = await own("POST", "/admin/v1/auth/token", { token: TOKEN }, page);
  const cookie = answer.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  return { ...page, cookie, "coterie-csrf": session.csrf };
}

const somebody = await person();

/** Allow what an application asks for; return where the browser goes then. */
async function approved(request) {
  const body = { decision: "approve", workspace_id: WORKSPACE };
  return (await own("POST", `/admin/v1/oauth-requests/${request}`, body, somebody))[0].url;
}

/** Follow an application to the page that asks, and allow it; return the code. */
async function code(url) {
  const led = await fetch(url, { redirect: "manual" });
  const page = new URL(led.headers.get("location"), SERVER);
  const back = new URL(await approved(page.searchParams.get("request")));
  if (back.searchParams.get("state") !== STATE) throw new Error(`state: ${back}`);
  return back.searchParams.get("code");
}

/** The code of the error that a call ends with. */
async function refusal(call) {
  try {
    await call();
    return "nothing";
  } catch (error) {
    return error.code ?? error.rawError?.error ?? String(error);
  }
}

/** Chat with a token, and try what its application may not. */
async function used({ access_token }) {
  const client = new CozeAPI({ baseURL: SERVER, token: access_token });
  const { messages } = await client.chat.createAndPoll(asked(AGENT, QUESTION));
  return {
    answer: messages.find(({ type }) => type === "answer").content,
    forbidden: await refusal(() => client.bots.create({ space_id: WORKSPACE, name: "Too much" })),
  };
}

/** Use a token, refresh it, use that, and bring the first refresh token once more. */
async function lifeOf(token, refresh) {
  const first = await used(token);
  const again = await refresh(token.refresh_token);
  const second = await used(again);
  const reused = await refusal(() => refresh(token.refresh_token));
  const me = () => new CozeAPI({ baseURL: SERVER, token: again.access_token }).users.me();
  return {
    ...first,
    refreshed: second.answer === first.answer && again.refresh_token !== token.refresh_token,
    reused,
    ended: await refusal(me),
  };
}

/** What the library needs of a registered application. */
const here = ({ client_id, secret }) => ({
  baseURL: SERVER,
  clientId: client_id,
  ...(secret && { clientSecret: secret }),
});

async function web(workspaceId) {
  const app = here(await registered("web", { redirect_uris: [BACK] }));
  const asks = { ...app, redirectUrl: BACK, state: STATE, ...(workspaceId && { workspaceId }) };
  const given = { ...app, redirectUrl: BACK, code: await code(getWebAuthenticationUrl(asks)) };
  return await lifeOf(await getWebOAuthToken(given), (refreshToken) =>
    refreshOAuthToken({ ...app, refreshToken }),
  );
}

async function pkce(workspaceId) {
  const app = here(await registered("pkce", { redirect_uris: [BACK] }));
  const asks = { ...app, redirectUrl: BACK, state: STATE, ...(workspaceId && { workspaceId }) };
  const { url, codeVerifier } = await getPKCEAuthenticationUrl(asks);
  const given = { ...app, redirectUrl: BACK, code: await code(url), codeVerifier };
  return await lifeOf(await getPKCEOAuthToken(given), (refreshToken) =>
    refreshOAuthToken({ ...app, refreshToken }),
  );
}

async function device(workspaceId) {
  const app = here(await registered("device"));
  const shown = await getDeviceCode({ ...app, ...(workspaceId && { workspaceId }) });
  const given = { ...app, deviceCode: shown.device_code };
  const pending = await refusal(() => getDeviceToken(given));
  if (pending !== PKCEAuthErrorType.AUTHORIZATION_PENDING) throw new Error(`pending: ${pending}`);
  const found = getDeviceToken({ ...given, poll: true });
  await approved(shown.user_code);
  return await lifeOf(await found, (refreshToken) => refreshOAuthToken({ ...app, refreshToken }));
}

async function key() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const made = await registered("jwt", { public_key: publicKey });
  const given = {
    baseURL: SERVER,
    appId: made.client_id,
    keyid: made.key_id,
    aud: new URL(SERVER).host,
    privateKey,
  };
  const limited = await getJWTToken({
    ...given,
    sessionName: "visitor 42",
    scope: {
      account_permission: { permission_list: ["Connector.botChat"] },
      attribute_constraint: { connector_bot_chat_attribute: { bot_id_list: [AGENT] } },
    },
  });
  const visitor = new CozeAPI({ baseURL: SERVER, token: limited.access_token });
  return {
    ...(await used(await getJWTToken({ ...given, durationSeconds: 600 }))),
    visitor: (await used(limited)).answer,
    beyond: await refusal(() => visitor.workspaces.list({})),
  };
}

await main({
  "coze/oauth web": () => web(),
  "coze/oauth web, workspace named": () => web(WORKSPACE),
  "coze/oauth pkce": () => pkce(),
  "coze/oauth pkce, workspace named": () => pkce(WORKSPACE),
  "coze/oauth device": () => device(),
  "coze/oauth device, workspace named": () => device(WORKSPACE),
  "coze/oauth key": key,
});
