import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Strategy } from "../../../retrieval/strategy";
import type { Candidate, Found } from "./queries";

/** One search: what was asked, how, and what was found. */
export type Made = {
  id: string;
  /** In Unix seconds. */
  at: number;
  question: string;
  strategy: Strategy;
  found: Found;
};

/** A search that was tried; `number` says which one since the page was loaded, from 1. */
export type Tried = Made & { number: number };

const MOST = 20;
const NONE: readonly Tried[] = [];

/** Searches of a base that were tried since the page was loaded, the newest first. */
export function useTrials(baseId: string) {
  const queries = useQueryClient();
  const queryKey = ["knowledge.trials", baseId];
  const { data: trials = NONE } = useQuery<readonly Tried[]>({
    queryKey,
    queryFn: () => queries.getQueryData(queryKey) ?? NONE,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  function keep(...made: readonly Made[]): void {
    queries.setQueryData<readonly Tried[]>(queryKey, (before = NONE) => numbered(before, made));
  }
  return { trials, keep };
}

/** Searches with new ones, the newest first; by their numbers two of one second differ. */
export function numbered(before: readonly Tried[], made: readonly Made[]): readonly Tried[] {
  const last = before[0]?.number ?? 0;
  const fresh = made.map((each, index) => ({ ...each, number: last + index + 1 }));
  return [...fresh.toReversed(), ...before].slice(0, MOST);
}

/** How what is shown moved from one search to another. */
export type Movement = { up: number; down: number; isNew: number; gone: number };

export function movementOf(before: Found, after: Found): Movement {
  const [old, now] = [before, after].map((found) => found.items.map(keyOf));
  const ranks = new Map(old?.map((key, index) => [key, index]));
  const steps = (now ?? []).map((key, index) => (ranks.get(key) ?? index) - index);
  return {
    up: steps.filter((step) => step > 0).length,
    down: steps.filter((step) => step < 0).length,
    isNew: (now ?? []).filter((key) => !ranks.has(key)).length,
    gone: (old ?? []).filter((key) => !now?.includes(key)).length,
  };
}

/** A slice by its id; rows that SQL found have none and go by what they say. */
export function keyOf(found: Pick<Candidate, "slice_id" | "document_id" | "content">): string {
  return found.slice_id || `${found.document_id} ${found.content}`;
}
