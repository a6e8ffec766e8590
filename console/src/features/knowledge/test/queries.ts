import { queryOptions, useMutation } from "@tanstack/react-query";
import { loadAgent } from "../../../api/agent";
import { client, unwrap } from "../../../api/client";
import type {
  WireCandidate,
  WireHistory,
  WireHit,
  WireSearch,
  WireStage,
} from "../../../api/schema";
import { type Strategy, searchOf } from "../../../retrieval/strategy";
import type { Made } from "./trials";

export type Hit = WireHit;
export type Candidate = WireCandidate;
export type Stage = WireStage;
export type Found = WireSearch;

/** What was said before the question, as an agent would know it. */
export type Said = WireHistory;

type Asked = {
  question: string;
  said: readonly Said[];
  bases: readonly string[];
  /** One, or two for comparison. */
  strategies: readonly Strategy[];
};

export function useSearchTest() {
  const search = async ({ question, said, bases }: Asked, strategy: Strategy): Promise<Made> => {
    const found = await unwrap(
      client.POST("/admin/v1/datasets:search", {
        body: {
          query: question,
          history: said.filter(({ content }) => content.trim()),
          dataset_ids: [...bases],
          ...searchOf(strategy),
          explain: true,
        },
      }),
    );
    return { id: crypto.randomUUID(), at: Date.now() / 1000, question, strategy, found };
  };
  return useMutation({
    mutationFn: (asked: Asked) =>
      Promise.all(asked.strategies.map((strategy) => search(asked, strategy))),
  });
}

/** An agent whose settings are tried. */
export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ["knowledge.test.agent", agentId],
    queryFn: ({ signal }) => loadAgent(agentId, signal),
    staleTime: 0,
  });
}
