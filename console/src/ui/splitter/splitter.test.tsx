import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { Splitter } from "./splitter";

const FIRST = [40, 25, 35];

function Panes() {
  const [shares, setShares] = useState<readonly number[]>(FIRST);
  const panes = ["Persona", "Abilities", "Try it"].map((label, index) => ({
    key: label,
    label,
    share: shares[index] ?? 0,
    least: 20,
    content: label,
  }));
  return (
    <>
      <Splitter panes={panes} onChange={setShares} onReset={() => setShares(FIRST)} />
      <output>{shares.join(" ")}</output>
    </>
  );
}

test("lines between panes move by keys, keep the least width and go back", async () => {
  const user = userEvent.setup();
  render(<Panes />);
  const [first] = screen.getAllByRole("separator");
  first?.focus();
  await user.keyboard("{ArrowRight}");
  expect(screen.getByRole("status").textContent).toBe("42 23 35");
  await user.keyboard("{End}");
  expect(screen.getByRole("status").textContent).toBe("45 20 35");
  await user.keyboard("{Home}");
  expect(screen.getByRole("status").textContent).toBe("20 45 35");
  await user.keyboard("{Enter}");
  expect(screen.getByRole("status").textContent).toBe("40 25 35");
});
