import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useKeys } from "./use-keys";

function Screen({ act }: { act: () => void }) {
  useKeys({ "mod+shift+p": act });
  return null;
}

function press(more: KeyboardEventInit): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { cancelable: true, bubbles: true, ...more });
  document.dispatchEvent(event);
  return event;
}

test("keys act with all of their modifiers, and take the browser's meaning away", () => {
  const act = vi.fn();
  render(<Screen act={act} />);
  press({ key: "p", ctrlKey: true });
  press({ key: "P", shiftKey: true });
  expect(act).not.toHaveBeenCalled();
  expect(press({ key: "P", ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(true);
  press({ key: "P", metaKey: true, shiftKey: true });
  expect(act).toHaveBeenCalledTimes(2);
});

test("keys do nothing under a dialog", () => {
  const act = vi.fn();
  render(
    <>
      <Screen act={act} />
      <div role="dialog" />
    </>,
  );
  press({ key: "P", ctrlKey: true, shiftKey: true });
  expect(act).not.toHaveBeenCalled();
});
