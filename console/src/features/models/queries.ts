import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { ModelFiguresView, ModelInput, ModelView } from "../../api/schema";
import type { ListSearch } from "../../api/search";

export type Model = ModelView;
export type Figures = ModelFiguresView;

/** Key of all lists of models. */
const MODELS = "admin.models.list";

export function useModels({ q, type }: ListSearch<"type">) {
  return useList<Model>({
    key: [MODELS, q, type],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: {
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(type && { type }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** How the models did lately, by their names; for administrators alone. */
export function useFigures(isWanted: boolean): ReadonlyMap<string, Figures> | undefined {
  const { data } = useQuery({
    queryKey: ["admin.models.figures"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/models:figures", { signal })),
    enabled: isWanted,
  });
  return data && new Map(data.items.map((each) => [each.model, each]));
}

export function modelQuery(id: string) {
  return queryOptions({
    queryKey: ["admin.models.get", id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models/{model_id}", { params: { path: { model_id: id } }, signal }),
      ),
  });
}

/** All models of a kind that may stand in for one another. */
export function useSiblings(type: Model["type"]): readonly Model[] | undefined {
  return useQuery({
    queryKey: [MODELS, "siblings", type],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: { query: { type, limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  }).data?.items;
}

/** The kinds of providers, with what each needs to be reached. */
export function useProviders() {
  return useQuery({
    queryKey: ["admin.model_providers.list"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/model-providers", { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.items;
}

/** Prices that a model has and had, newest first. */
export function usePrices(id: string | undefined) {
  return useQuery({
    queryKey: ["admin.prices.list", id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models/{model_id}/prices", {
          params: { path: { model_id: id ?? "" } },
          signal,
        }),
      ),
    enabled: id !== undefined,
  }).data?.items;
}

/** Marks whatever is known of models as old. */
export function useRefreshModels() {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        typeof key === "string" && /^admin\.(models|prices)\./.test(key),
    });
}

type Stored = Pick<Model, "id" | "revision">;

/** Stores a new model, or changes of one at the revision that was read. */
export function useSaveModel() {
  const refresh = useRefreshModels();
  return useMutation({
    mutationFn: ({ model, body }: { model: Stored | undefined; body: ModelInput }) =>
      model
        ? unwrap(
            client.PATCH("/admin/v1/models/{model_id}", {
              params: {
                path: { model_id: model.id },
                header: { "If-Match": String(model.revision) },
              },
              body,
            }),
          )
        : unwrap(client.POST("/admin/v1/models", { body })),
    onSuccess: refresh,
  });
}

export function useDeleteModel() {
  const refresh = useRefreshModels();
  return useMutation({
    mutationFn: (model: Model) =>
      done(
        client.DELETE("/admin/v1/models/{model_id}", { params: { path: { model_id: model.id } } }),
      ),
    onSuccess: refresh,
  });
}
