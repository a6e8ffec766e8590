import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Dialog } from "../dialog/dialog";
import { Form } from "./form";
import { hasUnsaved } from "./unsaved";

test("what was entered holds the page until it is stored, taken back or on its way", () => {
  const { rerender, unmount } = render(<Form entered="first" isSaving={false} />);
  expect(hasUnsaved()).toBe(false);
  rerender(<Form entered="second" isSaving={false} />);
  expect(hasUnsaved()).toBe(true);
  rerender(<Form entered="second" isSaving />);
  expect(hasUnsaved()).toBe(false);
  rerender(<Form entered="first" isSaving={false} />);
  expect(hasUnsaved()).toBe(false);
  rerender(<Form isChanged isSaving={false} />);
  expect(hasUnsaved()).toBe(true);
  unmount();
  expect(hasUnsaved()).toBe(false);
});

test("a dialog asks before it takes what was entered along", async () => {
  const user = userEvent.setup();
  const onClose = vi.fn();
  const dialog = (isChanged: boolean) => (
    <Dialog isOpen title="Name" onClose={onClose}>
      <Form isChanged={isChanged} isSaving={false} />
    </Dialog>
  );
  const { rerender } = render(dialog(false));
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
  rerender(dialog(true));
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  expect(onClose).toHaveBeenCalledTimes(2);
});
