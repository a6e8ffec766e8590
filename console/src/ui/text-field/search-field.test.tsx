import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { SearchField } from "./search-field";

const sent: string[] = [];

function Field() {
  const [value, setValue] = useState("");
  return (
    <SearchField
      label="Search"
      value={value}
      onChange={(next) => {
        sent.push(next);
        setValue(next);
      }}
    />
  );
}

test("a word that is being composed is sent when it is whole", () => {
  sent.length = 0;
  render(<Field />);
  const input = screen.getByRole("searchbox");
  fireEvent.compositionStart(input);
  for (const value of ["z", "zh", "zhi"]) fireEvent.change(input, { target: { value } });
  expect(sent).toEqual([]);
  fireEvent.change(input, { target: { value: "智" } });
  fireEvent.compositionEnd(input);
  expect(sent).toEqual(["智"]);
});

test("it is emptied by its button and by Escape", async () => {
  const user = userEvent.setup();
  render(<Field />);
  const input = screen.getByRole("searchbox");
  await user.type(input, "ab");
  await user.click(screen.getByRole("button", { name: "Clear" }));
  expect([input.getAttribute("value"), document.activeElement]).toEqual(["", input]);
  await user.keyboard("c{Escape}");
  expect(input.getAttribute("value")).toBe("");
});

test("Enter goes to the next hit and Shift and Enter to the one before", async () => {
  const steps: number[] = [];
  const user = userEvent.setup();
  render(
    <SearchField
      label="Search"
      value="ab"
      onChange={(value) => void sent.push(value)}
      onStep={(by) => void steps.push(by)}
    />,
  );
  await user.type(screen.getByRole("searchbox"), "{Enter}{Shift>}{Enter}{/Shift}");
  expect(steps).toEqual([1, -1]);
});
