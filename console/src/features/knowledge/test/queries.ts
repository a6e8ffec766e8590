import { queryOptions, useMutation } from "@tanstack/react-query";
import { loadAgent } from "../../../api/agent";
import { client, unwrap } from "../../../api/client";
import type { WireCandidate, WireHit, WireSearch, WireStage } from "../../../api/schema";
import { type Strategy, searchOf } from "../../../retrieval/strategy";
import type { ComboboxOption } from "../../../ui/combobox/options";

export type Hit = WireHit;
export type Candidate = WireCandidate;
export type Stage = WireStage;
export type Found = WireSearch;

/** One question, by one strategy or by two for comparison. */
export function useSearchTest() {
  const search = (query: string, bases: readonly string[], strategy: Strategy) =>
    unwrap(
      client.POST("/admin/v1/datasets:search", {
        body: { query, dataset_ids: [...bases], ...searchOf(strategy), explain: true },
      }),
    );
  return useMutation({
    mutationFn: ({ query, bases, strategies }: Asked) =>
      Promise.all(strategies.map((strategy) => search(query, bases, strategy))),
  });
}

type Asked = { query: string; bases: readonly string[]; strategies: readonly Strategy[] };

/** An agent whose settings are tried. */
export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ["knowledge.test.agent", agentId],
    queryFn: ({ signal }) => loadAgent(agentId, signal),
    staleTime: 0,
  });
}

/** Bases of a workspace that match what was typed. */
export async function findBases(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items.map((base) => ({ value: base.id, label: base.name, note: base.description }));
}
