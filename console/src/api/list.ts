import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "./errors";
import { asApiError, nextCursor, type Page } from "./queries";

/** How long typing has to rest before the server is asked. */
const REST_MS = 150;

/** What came back later than what was asked for. */
export function useRested<T>(value: T, restMs = REST_MS): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setRested, restMs, value);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}

type Options<P> = {
  key: readonly unknown[];
  fetch: (cursor: string | undefined, signal: AbortSignal) => Promise<P>;
};

/** Pages of a list as one, fetched as they are wanted. */
export function useList<T, P extends Page<T> = Page<T>>({ key, fetch }: Options<P>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetch(pageParam, signal),
    initialPageParam: first(),
    getNextPageParam: nextCursor,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const retry = useCallback(() => void refetch(), [refetch]);
  return {
    rows,
    /** The newest page, with what it says beside its rows. */
    page: data?.pages.at(-1),
    total: data?.pages.at(-1)?.total ?? rows.length,
    isPending: query.isPending,
    hasMore: hasNextPage && !isFetchingNextPage,
    /** Whether there are more than are kept. */
    isFull: data !== undefined && !hasNextPage && Boolean(data.pages.at(-1)?.next_cursor),
    loadMore,
    failure: data ? undefined : failureOf(query.error),
    retry,
  };
}

/** The page before any cursor. */
function first(): string | undefined {
  return undefined;
}

/** What a part of the page shows of an error. */
export function failureOf(error: Error | null): ApiError | { message: string } | undefined {
  return error ? (asApiError(error) ?? { message: error.message }) : undefined;
}
