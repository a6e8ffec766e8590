import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import type { PreferencesBody, SavedViewBody } from "../api/schema";

export type SavedView = SavedViewBody;

const preferencesQuery = queryOptions({
  queryKey: ["admin.auth.get_preferences"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/preferences", { signal })),
});

/** How one wants to be shown things; nothing until it is known. */
export function usePreferences(): PreferencesBody | undefined {
  return useQuery(preferencesQuery).data;
}

/** Changes how one wants to be shown things; what other tabs changed meanwhile stays. */
export function useChangePreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: (before: PreferencesBody) => PreferencesBody) => {
      const before = await queries.fetchQuery({ ...preferencesQuery, staleTime: 0 });
      return unwrap(client.PUT("/admin/v1/auth/preferences", { body: change(before) }));
    },
    onSuccess: (kept) => queries.setQueryData(preferencesQuery.queryKey, kept),
  });
}
