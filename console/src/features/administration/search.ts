import { getRouteApi } from "@tanstack/react-router";
import { useRested } from "../../api/list";

const page = getRouteApi("/shell/admin/{-$tab}");

type Words = { search: string; noMatch: string; clear: string };

/** What the lists of this screen are searched by, which stands in the address. */
export function useSearch(text: Words) {
  const { q } = page.useSearch();
  const navigate = page.useNavigate();
  return {
    q: useRested(q),
    ofList: {
      search: {
        label: text.search,
        value: q ?? "",
        onChange: (value: string) =>
          void navigate({ search: value ? { q: value } : {}, replace: true }),
      },
      isNarrowed: Boolean(q),
      onClearFilters: () => void navigate({ search: {} }),
      noMatch: { title: text.noMatch, clear: text.clear },
    },
  };
}
