import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import type { PreferencesBody, SavedViewBody } from "../../api/schema";

export type SavedView = SavedViewBody;

const preferencesQuery = queryOptions({
  queryKey: ["admin.auth.get_preferences"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/preferences", { signal })),
});

export type RunPreferences = Pick<PreferencesBody, "run_columns" | "run_views">;

/** How one wants the list of runs; nothing until it is known. */
export function useRunPreferences(): RunPreferences | undefined {
  return useQuery(preferencesQuery).data;
}

/** Changes how one wants the list of runs; what other tabs changed meanwhile stays. */
export function useChangeRunPreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: (before: RunPreferences) => RunPreferences) => {
      const before = await queries.fetchQuery({ ...preferencesQuery, staleTime: 0 });
      const body = { ...before, ...change(before) };
      return unwrap(client.PUT("/admin/v1/auth/preferences", { body }));
    },
    onSuccess: (kept) => queries.setQueryData(preferencesQuery.queryKey, kept),
  });
}
