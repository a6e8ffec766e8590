import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { takeNotices } from "../toast/toasts";
import BulkDelete from "./bulk-delete";
import { bulkText } from "./bulk-text";

const SHIPS = [
  { id: "1", name: "Ada", is_published: false },
  { id: "2", name: "Grace", is_published: true },
];

test("chosen things are deleted together once asked, and brought back together", async () => {
  await bulkText.load("en");
  const [remove, restore, onClear] = [vi.fn(), vi.fn(), vi.fn()];
  remove.mockResolvedValue(undefined);
  restore.mockResolvedValue(undefined);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BulkDelete things={SHIPS} remove={remove} restore={restore} onClear={onClear} />
    </QueryClientProvider>,
  );
  expect((await screen.findByRole("status")).textContent).toBe("2 selected");
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  expect(remove).not.toHaveBeenCalled();
  expect(screen.getByText(/answering until then: Grace\./)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Delete 2" }));
  await vi.waitFor(() => expect(onClear).toHaveBeenCalled());
  expect(remove.mock.calls[0]?.[0]).toEqual(SHIPS);
  const [notice] = takeNotices();
  expect(notice?.title).toBe("Deleted 2");
  notice?.action?.run();
  await vi.waitFor(() =>
    expect(takeNotices().map((each) => each.title)).toEqual(["Brought back 2"]),
  );
  expect(restore).toHaveBeenCalledWith(SHIPS);
});

test("what cannot be brought back, and is in use, wants its count typed", async () => {
  await bulkText.load("en");
  const remove = vi.fn().mockResolvedValue(undefined);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BulkDelete things={SHIPS} remove={remove} why="They are gone." onClear={vi.fn()} />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  expect(screen.getByText(/They are gone\./)).toBeTruthy();
  const button = screen.getByRole("button", { name: "Delete 2" });
  expect(button.hasAttribute("disabled")).toBe(true);
  await userEvent.type(screen.getByLabelText("Type “2” to confirm"), "2");
  await userEvent.click(button);
  await vi.waitFor(() =>
    expect(takeNotices().map(({ title, action }) => [title, action])).toEqual([
      ["Deleted 2", undefined],
    ]),
  );
});
