import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ListBody } from "./list-body";

const ROWS = [{ id: "1" }, { id: "2" }];

function list(total: number, search: boolean) {
  render(
    <ListBody
      title="Ships"
      empty=""
      list={{
        rows: ROWS,
        total,
        isPending: false,
        hasMore: false,
        isFull: true,
        loadMore: () => undefined,
        failure: undefined,
        retry: () => undefined,
      }}
      columns={[{ key: "id", label: "Id", width: "1fr", render: ({ id }) => id }]}
      keyOf={({ id }) => id}
      {...(search && { search: { label: "Search", value: "", onChange: () => undefined } })}
    />,
  );
  return screen.getByRole("status").textContent;
}

test.each([
  [9, true, "The first 2 of 9 are shown. Search or filter to see others."],
  [2, false, "The first 2 are shown; there are more."],
])("a list of %i that keeps two says so", (total, search, words) => {
  expect(list(total, search)).toBe(words);
});
