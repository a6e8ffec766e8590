import type { SearchTestInput, UpdateAgentBody } from "../api/schema";

type KnowledgeEdits = NonNullable<UpdateAgentBody["knowledge"]>;

export const KINDS = ["hybrid", "semantic", "full_text"] as const;
export const EXPANDS = ["auto", "none", "1", "2"] as const;
export const THRESHOLDS = ["absolute", "fastgpt"] as const;

export type Filter = Readonly<Record<string, unknown>>;

/** How a question is searched: the one structure that agents, search tests and nodes share. */
export type Strategy = {
  kind: (typeof KINDS)[number];
  topK: number;
  minScore: number;
  threshold: (typeof THRESHOLDS)[number];
  maxTokens: number | undefined;
  /** What meaning counts beside words; nothing: as the embedding model is made. */
  weight: number | undefined;
  expand: (typeof EXPANDS)[number];
  rewrites: boolean;
  /** Further wordings that are searched. */
  expansion: number;
  expansionModel: string;
  background: string;
  reranks: boolean;
  rerankModel: string;
  rerankWeight: number;
  usesSql: boolean;
  isPersonal: boolean;
  filter: Filter | undefined;
};

export const FIRST_STRATEGY: Strategy = {
  kind: "hybrid",
  topK: 5,
  minScore: 0.5,
  threshold: "absolute",
  maxTokens: undefined,
  weight: undefined,
  expand: "auto",
  rewrites: false,
  expansion: 0,
  expansionModel: "",
  background: "",
  reranks: false,
  rerankModel: "",
  rerankWeight: 1,
  usesSql: false,
  isPersonal: false,
  filter: undefined,
};

const NUMBERS = { semantic: 0, hybrid: 1, full_text: 20 } as const;

/** The settings of an agent's knowledge. */
export function strategyOf(knowledge: KnowledgeEdits): Strategy {
  const first = FIRST_STRATEGY;
  return {
    kind: KINDS.find((kind) => NUMBERS[kind] === knowledge.search_strategy) ?? first.kind,
    topK: knowledge.top_k ?? first.topK,
    minScore: knowledge.min_score ?? first.minScore,
    threshold: THRESHOLDS.find((each) => each === knowledge.threshold_mode) ?? first.threshold,
    maxTokens: knowledge.max_tokens ?? undefined,
    weight: knowledge.embedding_weight ?? undefined,
    expand: EXPANDS.find((each) => each === String(knowledge.expand)) ?? first.expand,
    rewrites: knowledge.use_rewrite ?? first.rewrites,
    expansion: knowledge.expansion ?? first.expansion,
    expansionModel: knowledge.expansion_model ?? "",
    background: knowledge.expansion_background ?? "",
    reranks: knowledge.use_rerank ?? first.reranks,
    rerankModel: knowledge.rerank_model ?? "",
    rerankWeight: knowledge.rerank_weight ?? first.rerankWeight,
    usesSql: knowledge.use_nl2sql ?? first.usesSql,
    isPersonal: knowledge.is_personal_only ?? first.isPersonal,
    filter: knowledge.filter ?? undefined,
  };
}

/** What of the settings changed, in the words of an agent. */
export function knowledgeOf(change: Partial<Strategy>): KnowledgeEdits {
  return {
    ...(change.kind !== undefined && { search_strategy: NUMBERS[change.kind] }),
    ...(change.topK !== undefined && { top_k: change.topK }),
    ...(change.minScore !== undefined && { min_score: change.minScore }),
    ...(change.threshold !== undefined && { threshold_mode: change.threshold }),
    ...("maxTokens" in change && { max_tokens: change.maxTokens ?? null }),
    ...("weight" in change && { embedding_weight: change.weight ?? null }),
    ...(change.expand !== undefined && { expand: change.expand }),
    ...(change.rewrites !== undefined && { use_rewrite: change.rewrites }),
    ...(change.expansion !== undefined && { expansion: change.expansion }),
    ...(change.expansionModel !== undefined && { expansion_model: change.expansionModel }),
    ...(change.background !== undefined && { expansion_background: change.background }),
    ...(change.reranks !== undefined && { use_rerank: change.reranks }),
    ...(change.rerankModel !== undefined && { rerank_model: change.rerankModel }),
    ...(change.rerankWeight !== undefined && { rerank_weight: change.rerankWeight }),
    ...(change.usesSql !== undefined && { use_nl2sql: change.usesSql }),
    ...(change.isPersonal !== undefined && { is_personal_only: change.isPersonal }),
    ...("filter" in change && { filter: change.filter ?? null }),
  };
}

/** All settings, in the words of a search test. */
export function searchOf(strategy: Strategy): Omit<SearchTestInput, "query" | "dataset_ids"> {
  const { maxTokens, weight, filter } = strategy;
  return {
    strategy: strategy.kind,
    top_k: strategy.topK,
    min_score: strategy.minScore,
    threshold_mode: strategy.threshold,
    expand: strategy.expand,
    rewrite: strategy.rewrites,
    expansion: strategy.expansion,
    expansion_model: strategy.expansionModel,
    expansion_background: strategy.background,
    rerank: strategy.reranks,
    rerank_model: strategy.rerankModel,
    rerank_weight: strategy.rerankWeight,
    nl2sql: strategy.usesSql,
    is_personal_only: strategy.isPersonal,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(weight !== undefined && { embedding_weight: weight }),
    ...(filter && { filter: { ...filter } }),
  };
}
