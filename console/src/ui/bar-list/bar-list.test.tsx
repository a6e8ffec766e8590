import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { BarList } from "./bar-list";

test("a share leads to what it counts; nothing leads nowhere", async () => {
  const onChoose = vi.fn();
  const bars = [
    { key: "long", label: "Too long", value: "3", share: 0.3 },
    { key: "empty", label: "Empty", value: "0", share: 0 },
  ];
  render(<BarList label="Flaws" bars={bars} chosen="long" onChoose={onChoose} />);
  const long = screen.getByRole("button", { name: /Too long/, pressed: true });
  await userEvent.click(long);
  await userEvent.click(screen.getByRole("button", { name: /Empty/ }));
  expect(onChoose.mock.calls).toEqual([["long"]]);
});
