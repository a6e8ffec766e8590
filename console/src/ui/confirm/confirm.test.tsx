import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import Confirm from "./confirm";

function show(name: string | undefined, onConfirm: () => void) {
  return render(
    <Confirm
      isOpen
      onClose={() => undefined}
      title="Delete Ada?"
      verb="Delete agent"
      name={name}
      isPending={false}
      onConfirm={onConfirm}
    >
      It is gone for good.
    </Confirm>,
  );
}

test("what is in use goes only after its name was typed", async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn();
  show("Ada", onConfirm);
  const button = screen.getByRole("button", { name: "Delete agent" });
  await user.type(screen.getByRole("textbox"), "Ad{Enter}");
  await user.click(button);
  expect(onConfirm).not.toHaveBeenCalled();
  await user.type(screen.getByRole("textbox"), "a");
  await user.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});

test("what is not in use goes by its button alone", async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn();
  show(undefined, onConfirm);
  await user.click(screen.getByRole("button", { name: "Delete agent" }));
  expect(onConfirm).toHaveBeenCalledOnce();
});
