import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../api/errors";
import type { AdminAgent } from "../../api/schema";
import { DraftKeeper } from "./draft-keeper";
import type { Edits, Unsaved } from "./edits";
import { sampleAgent } from "./sample-agent";

/** The server's side: revisions, merge patches, and refusals where asked for. */
class Server {
  agent: AdminAgent = sampleAgent();
  refusals: ApiError[] = [];
  saved: Edits[] = [];

  readonly save = async (body: Edits, revision: number): Promise<AdminAgent> => {
    const refusal = this.refusals.shift();
    if (refusal) throw refusal;
    if (revision !== this.agent.revision) throw refused(409, 4106);
    this.saved.push(body);
    return this.change(body);
  };
  readonly load = async (): Promise<AdminAgent> => this.agent;

  change(body: Edits): AdminAgent {
    const text = body.prompt?.text ?? this.agent.prompt.text;
    const prologue = body.onboarding?.prologue ?? this.agent.onboarding.prologue;
    this.agent = {
      ...this.agent,
      prompt: { text },
      onboarding: { ...this.agent.onboarding, prologue },
      name: body.name ?? this.agent.name,
      revision: this.agent.revision + 1,
    };
    return this.agent;
  }
}

function refused(status: number, code: number): ApiError {
  return new ApiError({ status, code, message: "no", slug: "", logId: "", retryAfterS: 0 });
}

/** What outlives the page. */
class Backup {
  kept: Unsaved | undefined;
  readonly keep = (unsaved: () => Unsaved): void => {
    this.kept = unsaved();
  };
  readonly drop = (): void => {
    this.kept = undefined;
  };
}

function begin(): { server: Server; keeper: DraftKeeper; backup: Backup } {
  const [server, backup] = [new Server(), new Backup()];
  return { server, backup, keeper: new DraftKeeper(server.agent, server, backup) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("edits are saved once they rest, and at the latest after five seconds", async () => {
  const { server, keeper } = begin();
  for (let letter = 0; letter < 20; letter += 1) {
    keeper.edit({ prompt: { text: "x".repeat(letter) } });
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(server.saved).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(700);
  expect(server.saved).toHaveLength(2);
  expect(server.agent.prompt.text).toBe("x".repeat(19));
  expect(keeper.current.state).toBe("saved");
});

test("what the server refuses for good is said, and saved with the next change", async () => {
  const { server, keeper } = begin();
  server.refusals = [refused(400, 4000)];
  keeper.edit({ name: "" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(keeper.current.state).toBe("refused");
  keeper.edit({ name: "Ada" });
  await vi.advanceTimersByTimeAsync(600);
  expect(server.agent.name).toBe("Ada");
});

test("what fails in passing is repeated", async () => {
  const { server, keeper } = begin();
  server.refusals = [refused(0, 0), refused(503, 5000)];
  keeper.edit({ prompt: { text: "new" } });
  await vi.advanceTimersByTimeAsync(600);
  expect(keeper.current.state).toBe("retrying");
  expect(keeper.current.draft.prompt.text).toBe("new");
  await vi.advanceTimersByTimeAsync(8000);
  expect(server.agent.prompt.text).toBe("new");
});

test("changes of others in other places come in, and ours stay", async () => {
  const { server, keeper } = begin();
  server.change({ onboarding: { prologue: "theirs" } });
  keeper.edit({ prompt: { text: "mine" } });
  await vi.advanceTimersByTimeAsync(1200);
  expect(server.agent.prompt.text).toBe("mine");
  expect(keeper.current.draft.onboarding.prologue).toBe("theirs");
  expect(keeper.current.state).toBe("saved");
});

test.each([
  ["mine", new Set<string>(), "mine"],
  ["theirs", new Set(["prompt.text"]), "theirs"],
])("where both changed the same, the person decides: %s", async (_, theirs, kept) => {
  const { server, keeper } = begin();
  server.change({ prompt: { text: "theirs" } });
  keeper.edit({ prompt: { text: "mine" }, onboarding: { prologue: "also mine" } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(keeper.current.state).toBe("conflict");
  expect(keeper.current.conflicts).toEqual([
    { path: "prompt.text", base: "", theirs: "theirs", mine: "mine" },
  ]);
  keeper.resolve(theirs);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.agent.prompt.text).toBe(kept);
  expect(server.agent.onboarding.prologue).toBe("also mine");
  expect(keeper.current.state).toBe("saved");
});

test("what somebody else saves comes in where nothing is being edited", async () => {
  const { server, keeper } = begin();
  const theirs = server.change({ name: "Theirs" });
  await keeper.refresh(theirs.revision);
  expect(keeper.current.draft.name).toBe("Theirs");
  expect(keeper.current.state).toBe("saved");

  const load = vi.spyOn(server, "load");
  await keeper.refresh(theirs.revision);
  expect(load).not.toHaveBeenCalled();
});

test("what is being edited meets a change when it is saved", async () => {
  const { server, keeper } = begin();
  keeper.edit({ prompt: { text: "mine" } });
  const theirs = server.change({ name: "Theirs" });
  await keeper.refresh(theirs.revision);
  expect(keeper.current.draft.name).not.toBe("Theirs");
  await vi.advanceTimersByTimeAsync(2000);
  expect(keeper.current.draft.name).toBe("Theirs");
  expect(server.agent.prompt.text).toBe("mine");
});

test("a change that is heard of during a save is taken in after it", async () => {
  const { server, keeper } = begin();
  const save = server.save;
  vi.spyOn(server, "save").mockImplementation(async (body, revision) => {
    const saved = await save(body, revision);
    await keeper.refresh(server.change({ name: "Theirs" }).revision);
    return saved;
  });
  keeper.edit({ prompt: { text: "mine" } });
  await keeper.flush();
  expect(keeper.current.draft.name).toBe("Theirs");
  expect(keeper.current.state).toBe("saved");
});

test("an agent that is gone is said to be", async () => {
  const { server, keeper } = begin();
  vi.spyOn(server, "load").mockRejectedValue(refused(404, 4200));
  await keeper.refresh(keeper.current.agent.revision + 1);
  expect(keeper.current.state).toBe("refused");
});

test("what is not acknowledged is kept with what it was made on, and given up once it is saved", async () => {
  const { server, keeper, backup } = begin();
  const base = keeper.current.agent;
  server.refusals = [refused(0, 0)];
  keeper.edit({ prompt: { text: "mine" } });
  await vi.advanceTimersByTimeAsync(600);
  expect(backup.kept).toEqual({ base, edits: { prompt: { text: "mine" } } });
  await vi.advanceTimersByTimeAsync(5000);
  expect(keeper.current.state).toBe("saved");
  expect(backup.kept).toBeUndefined();
});

test("while both sides of a conflict wait, what is kept was made on neither of them", async () => {
  const { server, keeper, backup } = begin();
  const base = keeper.current.agent;
  server.change({ prompt: { text: "theirs" } });
  keeper.edit({ prompt: { text: "mine" } });
  await vi.advanceTimersByTimeAsync(1200);
  expect(keeper.current.state).toBe("conflict");
  expect(backup.kept).toEqual({ base, edits: { prompt: { text: "mine" } } });
});

test.each([
  ["is saved where nobody changed the same", { name: "Theirs" }, "saved"],
  ["meets it where somebody did", { prompt: { text: "theirs" } }, "conflict"],
])("what an earlier page left %s", async (_, theirs, state) => {
  const { server, keeper } = begin();
  const base = keeper.current.agent;
  keeper.take(server.change(theirs));
  keeper.restore({ base, edits: { prompt: { text: "mine" } } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(keeper.current.state).toBe(state);
  expect(keeper.current.draft.prompt.text).toBe("mine");
  expect(keeper.current.agent.name).toBe(server.agent.name);
});
