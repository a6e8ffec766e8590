import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { act } from "react";
import { beforeAll, expect, test, vi } from "vitest";
import { uiText } from "../ui/text";
import type { Attached, Upload } from "./client";
import { Composer } from "./composer";
import { shortcutOf } from "./shortcuts";
import { chatText } from "./text";

beforeAll(async () => {
  await Promise.all([chatText, uiText].map((each) => each.load("en")));
});

const GREET = shortcutOf({ id: "1", name: "Greet", command: "hi", template_query: "Say hello." });
const ROUTE = shortcutOf({ id: "2", name: "Route", command: "route", template_query: "The way." });

type Props = Partial<Parameters<typeof Composer>[0]>;

async function shown(props: Props = {}) {
  const onSend = vi.fn();
  const composer = (
    <Composer
      isRunning={false}
      onSend={onSend}
      onStop={() => undefined}
      onUpload={undefined}
      onEditLast={() => undefined}
      {...props}
    />
  );
  await act(async () => render(composer));
  return { onSend, field: screen.getByRole("textbox"), user: userEvent.setup() };
}

test.each([
  ["enter", "{Enter}", "{Shift>}{Enter}{/Shift}"],
  ["mod-enter", "{Control>}{Enter}{/Control}", "{Enter}"],
] as const)("with %s as keys, %s sends and %s begins a line", async (sendKeys, sends, breaks) => {
  const { onSend, field, user } = await shown({ sendKeys });
  await user.type(field, `one${breaks}two`);
  expect(onSend).not.toHaveBeenCalled();
  await user.type(field, sends);
  expect(onSend).toHaveBeenCalledExactlyOnceWith("one\ntwo", []);
});

test("a slash brings the shortcuts, which the keys of the field walk and choose", async () => {
  const { onSend, field, user } = await shown({ shortcuts: [GREET, ROUTE] });
  await user.type(field, "/");
  expect(screen.getAllByRole("option")).toHaveLength(2);
  await user.type(field, "{ArrowDown}");
  expect(screen.getByRole("option", { selected: true }).textContent).toContain("Route");
  await user.type(field, "{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("The way.", [], { id: "2", values: {} });
  await user.type(field, "/no such one");
  expect(screen.queryByRole("option")).toBeNull();
});

test("a file says how much of it has arrived, and is sent no further once it is taken away", async () => {
  const ways: Parameters<Upload>[1][] = [];
  const onUpload: Upload = (_, way) => {
    ways.push(way);
    return new Promise<Attached>(() => undefined);
  };
  const { field, user } = await shown({ onUpload });
  const files = ["a.txt", "b.txt", "c.txt", "d.txt"].map((name) => new File(["0123456789"], name));
  fireEvent.drop(field, { dataTransfer: { files } });
  expect(ways).toHaveLength(3);
  act(() => ways[0]?.onProgress(4));
  expect(screen.getByRole("progressbar", { name: "a.txt" }).getAttribute("value")).toBe("0.4");
  await user.click(screen.getByRole("button", { name: "Remove a.txt" }));
  expect(ways[0]?.signal.aborted).toBe(true);
});
