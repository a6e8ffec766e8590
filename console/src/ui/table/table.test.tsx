import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Column, Table } from "./table";

type Ship = { id: string };

const SHIPS: readonly Ship[] = Array.from({ length: 10_000 }, (_, index) => ({ id: `S${index}` }));

beforeEach(() => {
  // The document of the tests has no layout: everything is 440 px high, which is ten rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(440);
});

afterEach(() => vi.restoreAllMocks());

test("a long list draws each row once while it scrolls, and reads no style for it", async () => {
  const drawn = new Map<string, number>();
  const columns: readonly Column<Ship>[] = [
    {
      key: "name",
      label: "Name",
      width: "1fr",
      render: ({ id }) => {
        drawn.set(id, (drawn.get(id) ?? 0) + 1);
        return id;
      },
    },
  ];
  const keyOf = vi.fn(({ id }: Ship) => id);
  render(
    <Table
      label="Ships"
      columns={columns}
      rows={SHIPS}
      total={SHIPS.length}
      keyOf={keyOf}
      isLoading={false}
      hasMore={false}
      onMore={() => undefined}
    />,
  );
  const list = screen.getByRole("grid");
  expect(screen.getByText("S3")).toBeTruthy();
  const styles = vi.spyOn(window, "getComputedStyle");
  keyOf.mockClear();
  for (const top of [88, 176, 264]) {
    list.scrollTop = top;
    await act(async () => void fireEvent.scroll(list));
  }
  expect(screen.getByText("S20")).toBeTruthy();
  expect(Math.max(...drawn.values())).toBe(1);
  expect(keyOf.mock.calls.length).toBeLessThan(1000);
  expect(styles).not.toHaveBeenCalled();
});
