import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ahead } from "./ahead";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted() {
  let count = 0;
  return new Ahead(async (key: string) => {
    count += 1;
    return `${key}${count}`;
  });
}

test("what was asked ahead is taken once, and asked for anew after that", async () => {
  const ahead = counted();
  ahead.begin("a");
  expect(await ahead.take("a")).toBe("a1");
  expect(await ahead.take("a")).toBe("a2");
});

test("what is taken is never old, nor of another key", async () => {
  const other = counted();
  other.begin("a");
  expect(await other.take("b")).toBe("b2");
  const old = counted();
  old.begin("a");
  vi.advanceTimersByTime(6000);
  expect(await old.take("a")).toBe("a2");
});

test("only what a page opens with is asked ahead", async () => {
  const ahead = counted();
  await ahead.take("a");
  ahead.begin("b");
  expect(await ahead.take("b")).toBe("b2");
});

test("a failure is told to whoever takes it", async () => {
  const ahead = new Ahead(() => Promise.reject(new Error("gone")));
  ahead.begin("a");
  await expect(ahead.take("a")).rejects.toThrow("gone");
});
