// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "./errors";
import { keepSession, transport } from "./transport";

type Reply = { status: number; slug?: string; headers?: Record<string, string> } | "unreachable";

const asked: Request[] = [];
let replies: Reply[] = [];
const calls = { renew: 0, signIn: 0, stepUp: 0 };

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  Object.assign(calls, { renew: 0, signIn: 0, stepUp: 0 });
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request);
    const reply = replies.shift() ?? { status: 200 };
    if (reply === "unreachable") throw new TypeError("Failed to fetch");
    const body = { code: 1, msg: "no", error: { detail: reply.slug ?? "", logid: "log-1" } };
    return new Response(JSON.stringify(body), {
      status: reply.status,
      headers: reply.headers ?? {},
    });
  });
  keepSession({
    csrf: () => `csrf-${calls.renew}`,
    renew: async () => {
      calls.renew += 1;
    },
    signInAgain: async () => {
      calls.signIn += 1;
      return calls.signIn < 2;
    },
    stepUp: async () => {
      calls.stepUp += 1;
      return true;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Asks, and lets all waiting pass at once. */
async function ask(method: string, path = "/admin/v1/agents"): Promise<Response> {
  const body = method === "GET" ? {} : { body: "{}" };
  const answer = transport(new Request(new URL(path, location.origin), { method, ...body }));
  answer.catch(() => undefined);
  await vi.runAllTimersAsync();
  return answer;
}

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`not refused: ${String(error)}`);
}

describe("reads", () => {
  test.each<[string, Reply]>([
    ["no answer", "unreachable"],
    ["502", { status: 502 }],
    ["503", { status: 503 }],
    ["504", { status: 504 }],
    ["429", { status: 429, headers: { "retry-after": "1" } }],
  ])("are tried again after %s", async (_, reply) => {
    replies = [reply, reply];
    expect((await ask("GET")).status).toBe(200);
    expect(asked).toHaveLength(3);
  });

  test("give up after the third try", async () => {
    replies = Array.from({ length: 9 }, (): Reply => "unreachable");
    expect((await refusal(ask("GET"))).status).toBe(0);
    expect(asked).toHaveLength(4);
  });

  test.each([400, 403, 404, 409, 500])(
    "that were answered %d are not tried again",
    async (status) => {
      replies = [{ status }];
      const error = await refusal(ask("GET"));
      expect([error.status, error.logId, asked.length]).toEqual([status, "log-1", 1]);
    },
  );
});

describe("changes", () => {
  test("say the value against forgery, reads do not", async () => {
    await ask("POST");
    await ask("GET");
    expect(asked.map((each) => each.headers.get("coterie-csrf"))).toEqual(["csrf-0", null]);
  });

  test("are not tried again after a failure: they may have happened", async () => {
    replies = ["unreachable"];
    await refusal(ask("POST"));
    expect(asked).toHaveLength(1);
  });

  test("fetch the session once where its value was refused", async () => {
    replies = [{ status: 403, slug: "csrf" }];
    expect((await ask("DELETE")).status).toBe(200);
    expect(asked.map((each) => each.headers.get("coterie-csrf"))).toEqual(["csrf-0", "csrf-1"]);
    replies = [
      { status: 403, slug: "csrf" },
      { status: 403, slug: "csrf" },
    ];
    expect((await refusal(ask("DELETE"))).slug).toBe("csrf");
  });
});

describe("the person", () => {
  test("is asked to sign in again, and the request goes on", async () => {
    replies = [{ status: 401 }];
    expect((await ask("POST")).status).toBe(200);
    expect(calls.signIn).toBe(1);
  });

  test("may leave it: the request fails", async () => {
    replies = [{ status: 401 }, { status: 401 }];
    expect((await refusal(ask("GET"))).status).toBe(401);
  });

  test("is asked for the password before weighty changes", async () => {
    replies = [{ status: 403, slug: "recent_sign_in_needed" }];
    expect((await ask("POST")).status).toBe(200);
    expect(calls.stepUp).toBe(1);
  });

  test("is not asked by what signs in", async () => {
    replies = [{ status: 401 }];
    expect((await refusal(ask("POST", "/admin/v1/auth/login"))).status).toBe(401);
    expect(calls.signIn).toBe(0);
  });
});
