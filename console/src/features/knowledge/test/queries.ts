import { useMutation } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import type { WireCandidate, WireHit, WireSearch, WireStage } from "../../../api/schema";

export type Hit = WireHit;
export type Candidate = WireCandidate;
export type Stage = WireStage;
export type Found = WireSearch;

/** How a question is searched. */
export type Strategy = {
  kind: "hybrid" | "semantic" | "full_text";
  topK: number;
  minScore: number;
  maxTokens: number | undefined;
  rewrites: boolean;
  reranks: boolean;
  usesSql: boolean;
  expand: "auto" | "none" | "1" | "2";
};

export const FIRST_STRATEGY: Strategy = {
  kind: "hybrid",
  topK: 5,
  minScore: 0.5,
  maxTokens: undefined,
  rewrites: false,
  reranks: false,
  usesSql: false,
  expand: "auto",
};

/** One question, by one strategy or by two for comparison. */
export function useSearchTest(baseId: string) {
  const search = (query: string, strategy: Strategy) =>
    unwrap(
      client.POST("/admin/v1/datasets:search", {
        body: {
          query,
          dataset_ids: [baseId],
          strategy: strategy.kind,
          top_k: strategy.topK,
          min_score: strategy.minScore,
          ...(strategy.maxTokens === undefined ? {} : { max_tokens: strategy.maxTokens }),
          rewrite: strategy.rewrites,
          rerank: strategy.reranks,
          nl2sql: strategy.usesSql,
          expand: strategy.expand,
          explain: true,
        },
      }),
    );
  return useMutation({
    mutationFn: ({ query, strategies }: { query: string; strategies: readonly Strategy[] }) =>
      Promise.all(strategies.map((strategy) => search(query, strategy))),
  });
}
