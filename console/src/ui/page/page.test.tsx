import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import { Page } from "./page";

async function titled(onRename: (name: string) => unknown) {
  render(
    <Page title="Ada" onRename={onRename}>
      {null}
    </Page>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Ada" }));
  await screen.findByRole("textbox", { name: "Name of Ada" });
}

// The field comes when it is wanted: what is tested is not how long that takes.
beforeAll(() => import("./title-field"));

test("a title is written where it stands, and kept by Enter", async () => {
  const rename = vi.fn();
  await titled(rename);
  await userEvent.keyboard("Grace{Enter}");
  expect(rename.mock.calls).toEqual([["Grace"]]);
  expect(await screen.findByRole("button", { name: "Ada" })).toBeTruthy();
});

test("Escape and an empty name leave it as it was", async () => {
  const rename = vi.fn();
  await titled(rename);
  await userEvent.keyboard("Grace{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Ada" }));
  await userEvent.clear(await screen.findByRole("textbox", { name: "Name of Ada" }));
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Ada" })).toBeTruthy();
  expect(rename).not.toHaveBeenCalled();
});

test("a name that is refused stays in its field, with the reason", async () => {
  await titled(() => Promise.reject(Object.assign(new Error("Taken."), { status: 409 })));
  await userEvent.keyboard("Grace{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("The server refused this");
  const field = screen.getByRole("textbox", { name: "Name of Ada" });
  expect(field.getAttribute("aria-invalid")).toBe("true");
});
