import { useQueryClient } from "@tanstack/react-query";

/** Asks anew for what stands under a key, once something of it was changed. */
export function useRefresh(...key: readonly unknown[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: key });
}
