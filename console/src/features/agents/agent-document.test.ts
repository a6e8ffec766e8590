import { describe, expect, test } from "vitest";
import { readDocument } from "./agent-document";

describe("files of agents", () => {
  test("say their name and the secrets that are wanted, each once", () => {
    const text = JSON.stringify({
      kind: "coterie.agent",
      format: 1,
      name: "航运助手",
      settings: {
        plugins: [
          { defaults: { api_key: { $secret: "AGENT_KEY" }, city: "Bergen" } },
          { defaults: { other: { $secret: "AGENT_KEY" } } },
        ],
        variables: [{ keyword: "token", default_value: { $secret: "AGENT_TOKEN" } }],
      },
    });
    expect(readDocument(text)).toMatchObject({
      name: "航运助手",
      secrets: ["AGENT_KEY", "AGENT_TOKEN"],
    });
  });

  test.each(["", "{", "[]", "7", '{"kind":"other"}'])("are not %j", (text) => {
    expect(readDocument(text)).toBeUndefined();
  });
});
