// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSelection } from "./selection";

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
