import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FileChip } from "./file-chip";
import { FileDrop } from "./file-drop";

const files = ["a.pdf", "b.txt"].map((name) => new File([name], name));

test.each([
  [false, 2],
  [true, 1],
])("dropped files are taken, one where one is wanted: %s", (isSingle, expected) => {
  const onFiles = vi.fn();
  render(<FileDrop label="Drop files" hint="PDF" isSingle={isSingle} onFiles={onFiles} />);
  fireEvent.drop(screen.getByRole("button", { name: "Drop files" }), { dataTransfer: { files } });
  expect(onFiles).toHaveBeenCalledExactlyOnceWith(files.slice(0, expected));
});

test("a file on its way shows how far it is, a failed one why and the way on", async () => {
  const user = userEvent.setup();
  const onRetry = vi.fn();
  const { rerender } = render(<FileChip name="a.pdf" bytes={1200} progress={0.5} />);
  expect(screen.getByRole("progressbar", { name: "a.pdf" })).toBeTruthy();
  rerender(<FileChip name="a.pdf" bytes={1200} error="Too large" onRetry={onRetry} />);
  expect(screen.getByRole("alert").textContent).toBe("Too large");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
});
