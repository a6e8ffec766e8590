import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { PAGE_ROWS } from "../api/queries";

/** The models of a kind, as fields offer them. */
export function useModelChoices(type: "llm" | "rerank", isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ["admin.models.list", type],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: { query: { type, limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
    enabled: isWanted,
  });
  return (data?.items ?? []).map((model) => ({
    value: model.id,
    label: model.display.name || model.id,
    note: model.provider,
  }));
}
