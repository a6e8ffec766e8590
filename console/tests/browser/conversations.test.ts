import { expect, expectAccessible, signIn, testIn } from "./fixture";
import type { Server } from "./server";
import { plannedAgent } from "./upstream";

type Account = { token: string; user: { id: string } };

/** An agent, somebody who may only look, and a conversation of each of two people with it. */
const test = testIn(async (server, upstream) => {
  const model = await upstream.model(server, "planned");
  const plan = [{ say: "It leaves at ten past nine." }];
  const agent = await plannedAgent(server, "Ferry desk", model, plan);
  const made = await server.call<Account>("POST", "/admin/v1/users", { name: "looker" });
  const members = `/admin/v1/workspaces/${server.workspaceId}/members`;
  await server.call("POST", members, { user_id: made.user.id, role: "viewer" });
  await asked(server, server.token, agent, "customer-12", "When does the ferry leave?");
  await asked(server, made.token, agent, "looker", "Where is the desk?");
  return { viewer: made.token };
});

/** Asks through the API, and waits for the answer to be kept. */
async function asked(server: Server, token: string, agent: string, user: string, text: string) {
  const answer = await fetch(`${server.url}/v3/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      bot_id: agent,
      user_id: user,
      stream: true,
      additional_messages: [{ role: "user", content: text, content_type: "text" }],
    }),
  });
  expect(await answer.text()).toContain("conversation.chat.completed");
}

test("a viewer reads his own conversations; with the right those of others, told in the log", async ({
  browser,
  signedIn: page,
  world: { server, viewer },
}) => {
  const list = `/console/w/${server.workspaceId}/conversations`;
  const context = await browser.newContext({ baseURL: server.url });
  await signIn(context, { ...server, token: viewer });
  const looking = await context.newPage();
  await looking.goto(list);
  await expect(looking.getByRole("link", { name: "Where is the desk?" })).toBeVisible();
  await expect(looking.getByRole("link", { name: "When does the ferry leave?" })).toHaveCount(0);
  await context.close();

  await page.goto(list);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Where is the desk?" }).click();
  await expect(page.getByText(/stands in the audit log/)).toBeVisible();
  await expect(page.getByRole("article", { name: "Answer" })).toContainText("ten past nine");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expectAccessible(page);
  const told = await server.call<{ items: { resource: string }[] }>(
    "GET",
    `/admin/v1/audit-log?workspace_id=${server.workspaceId}&action=admin.support_conversations.get_transcript`,
  );
  const id = new URL(page.url()).pathname.split("/").at(-1);
  expect(told.items.map((each) => each.resource)).toContain(`conversation:${id}`);
});
