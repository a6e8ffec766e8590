import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { TypedChip } from "./typed-chip";

const chip = { label: "Error code", hint: "A number", name: undefined, pattern: /^\d+$/ };

test("what is typed is set once it fits, and can be cleared", async () => {
  const onChange = vi.fn();
  const { rerender } = render(<TypedChip {...chip} value={undefined} isNew onChange={onChange} />);
  const field = await screen.findByRole("textbox", { name: "Error code" });
  await userEvent.type(field, "no number{Enter}");
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.clear(field);
  await userEvent.type(field, " 4028 {Enter}");
  expect(onChange).toHaveBeenCalledWith("4028");
  rerender(<TypedChip {...chip} value="4028" isNew={false} onChange={onChange} />);
  await userEvent.click(await screen.findByRole("button", { name: "Clear: Error code" }));
  expect(onChange).toHaveBeenLastCalledWith(undefined);
});
