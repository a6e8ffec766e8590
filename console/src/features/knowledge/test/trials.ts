import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Strategy } from "../../../retrieval/strategy";
import type { Candidate, Found } from "./queries";

/** One search that was tried: what was asked, how, and what was found. */
export type Tried = {
  id: string;
  /** In Unix seconds. */
  at: number;
  question: string;
  strategy: Strategy;
  found: Found;
};

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
  function keep(...tried: readonly Tried[]): void {
    queries.setQueryData<readonly Tried[]>(queryKey, (before = NONE) =>
      [...tried.toReversed(), ...before].slice(0, MOST),
    );
  }
  return { trials, keep };
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
