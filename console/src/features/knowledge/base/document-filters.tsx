import { getRouteApi } from "@tanstack/react-router";
import { useText } from "../../../text/catalogue";
import { FilterChip } from "../../../ui/chip/filter-chip";
import { baseText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");
/** By what a base holds: text, tables or images. */
const TYPES = [
  ["pdf", "docx", "pptx", "xlsx", "csv", "md", "txt", "html", "json", "epub"],
  ["csv", "xlsx", "xls", "json"],
  ["png", "jpg", "jpeg", "webp", "gif", "bmp"],
];
const ORDERS = ["created", "changed", "name", "size", "slices", "hits"] as const;
const STATES = ["in_work", "ready", "off", "failed"] as const;
const SOURCES = ["file", "web", "text"] as const;

/** What narrows and orders the documents of a base, kept in the address. */
export function DocumentFilters({ kind }: { kind: number }) {
  const { documents: text } = useText(baseText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  function set(change: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  }
  return (
    <>
      <FilterChip
        label={text.filters.state}
        value={search.state}
        options={STATES.map((value) => ({ value, label: text.filterStates[value] }))}
        onChange={(state) => set({ state })}
      />
      <FilterChip
        label={text.filters.type}
        value={search.type}
        options={(TYPES[kind] ?? []).map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(type) => set({ type })}
      />
      <FilterChip
        label={text.filters.source}
        value={search.source}
        options={SOURCES.map((value) => ({ value, label: text.sources[value] }))}
        onChange={(source) => set({ source })}
      />
      <FilterChip
        label={text.filters.order}
        value={search.sort}
        options={ORDERS.map((value) => ({ value, label: text.orders[value] }))}
        onChange={(sort) => set({ sort, order: sort === "name" ? "asc" : undefined })}
      />
    </>
  );
}
