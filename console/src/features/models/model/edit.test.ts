import { describe, expect, test } from "vitest";
import { changesConnection, inputOf, moved, NEW, namesOf } from "./edit";

const STORED = { ...NEW, name: "main", address: "https://models.example.org/v1", isDefault: true };

describe("what is stored of a model", () => {
  test("is all that was filled in of a new one", () => {
    const body = inputOf({ ...STORED, key: " sk-1 ", aliases: "fast，small" }, undefined);
    expect(body.type).toBe("llm");
    expect(body.connection).toEqual({ base_url: STORED.address, api_key: "sk-1", model: null });
    expect(body.aliases).toEqual(["fast", "small"]);
    expect(body.capabilities).toBeUndefined();
  });

  test("is only what differs of a stored one, and never a key that nobody typed", () => {
    expect(inputOf(STORED, STORED)).toEqual({});
    expect(inputOf({ ...STORED, window: 8000 }, STORED)).toEqual({ display: { max_tokens: 8000 } });
    expect(inputOf({ ...STORED, key: "sk-2" }, STORED)).toEqual({
      connection: { api_key: "sk-2" },
    });
  });

  test("gives abilities back to what is known of the name", () => {
    const own = { ...STORED, isOwn: true };
    expect(inputOf(STORED, own)).toEqual({ capabilities: null });
    expect(inputOf(own, STORED).capabilities).toEqual(NEW.abilities);
  });

  test("has prices as the ledger counts them", () => {
    const money = [{ upto: undefined, input: "1.5", output: "", cached: "" }];
    expect(inputOf({ ...STORED, money }, STORED)).toEqual({
      prices: {
        money: [{ upto_input: null, input: "1.5", output: "0", cached_input: null }],
      },
    });
  });
});

test("a call tells only whether a connection works", () => {
  expect(changesConnection(STORED, STORED)).toBe(false);
  expect(changesConnection({ ...STORED, description: "x" }, STORED)).toBe(false);
  expect(changesConnection({ ...STORED, key: "k" }, STORED)).toBe(true);
  expect(changesConnection({ ...STORED, name: "other" }, STORED)).toBe(true);
  expect(
    changesConnection({ ...STORED, upstream: "u", name: "n" }, { ...STORED, upstream: "u" }),
  ).toBe(false);
});

test("stand-ins move within their list", () => {
  expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
  expect(moved(["a"], 0, 1)).toEqual(["a"]);
});

test("names are separated as either language does", () => {
  expect(namesOf(" a, b，c\n")).toEqual(["a", "b", "c"]);
});
