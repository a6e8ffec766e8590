// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { onSelectionKey, useSelection } from "./selection";

test("rows are chosen one by one, from one to another, all, and forgotten when they leave", () => {
  const { result, rerender } = renderHook(({ keys }) => useSelection(keys), {
    initialProps: { keys: ["a", "b", "c", "d"] },
  });
  const chosen = () => [...result.current.chosen].sort().join("");
  act(() => result.current.toggle("b", false));
  act(() => result.current.toggle("d", true));
  expect(chosen()).toBe("bcd");
  act(() => result.current.toggle("c", false));
  expect(chosen()).toBe("bd");
  rerender({ keys: ["a", "b", "c"] });
  expect(chosen()).toBe("b");
  act(() => result.current.setAll(true));
  expect(chosen()).toBe("abc");
  act(() => result.current.clear());
  expect(chosen()).toBe("");
});

test("Space and X choose the row, X with Ctrl does not", () => {
  const toggle = vi.fn();
  const selection = { chosen: new Set<string>(), toggle, setAll: vi.fn(), clear: vi.fn() };
  const press = (key: string, more: KeyboardEventInit = {}) =>
    onSelectionKey(new KeyboardEvent("keydown", { key, ...more }), "a", selection);
  expect([press(" "), press("x"), press("X", { shiftKey: true })]).toEqual([true, true, true]);
  expect(toggle.mock.calls).toEqual([
    ["a", false],
    ["a", false],
    ["a", true],
  ]);
  expect(press("x", { ctrlKey: true })).toBe(false);
});
