import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Histogram } from "./histogram";

const BARS = [3, 0, 5, 1].map((count, index) => ({
  key: String(index),
  label: `${index} o'clock: ${count}`,
  count,
  bad: index === 2 ? 1 : 0,
}));

test("arrows walk, Shift extends, Enter narrows to what is marked", async () => {
  const user = userEvent.setup();
  const onNarrow = vi.fn();
  render(<Histogram label="Runs" bars={BARS} ticks={["0", "4"]} onNarrow={onNarrow} />);
  screen.getByRole("listbox", { name: "Runs" }).focus();
  await user.keyboard("{Home}{ArrowRight}{Enter}");
  expect(onNarrow).toHaveBeenLastCalledWith(1, 1);
  await user.keyboard("{End}{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}");
  expect(screen.getAllByRole("option", { selected: true })).toHaveLength(3);
  await user.keyboard("{Enter}");
  expect(onNarrow).toHaveBeenLastCalledWith(1, 3);
});
