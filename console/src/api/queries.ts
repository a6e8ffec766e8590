import { keepPreviousData, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";

const FRESH_MS = 30_000;
const KEPT_MS = 10 * 60_000;

/** Most rows that a list keeps; it says so when it is full. */
const MOST_ROWS = 2000;
export const PAGE_ROWS = 100;

/** The cache of what the server told; in memory only. The transport repeats, the cache does not. */
export function newQueryClient(): QueryClient {
  // A server on the same machine answers without any network, and no answer is to be told of.
  const networkMode = "always";
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: false,
        placeholderData: keepPreviousData,
        throwOnError: false,
      },
      mutations: { retry: false, networkMode },
    },
  });
}

/** For `placeholderData` of what must not show what another key had, not for a moment. */
export function nothingBefore(): undefined {
  return undefined;
}

/** A page of a list; some lists are too long to be counted. */
export type Page<T> = { items: T[]; total?: number | null; next_cursor?: string | null };

/** Where the next page begins; nothing on the last one and where enough is kept. */
export function nextCursor<T>(last: Page<T>, pages: readonly Page<T>[]): string | undefined {
  const kept = pages.reduce((sum, page) => sum + page.items.length, 0);
  return kept < MOST_ROWS && last.next_cursor ? last.next_cursor : undefined;
}

export function asApiError(error: unknown): ApiError | undefined {
  return error instanceof ApiError ? error : undefined;
}
