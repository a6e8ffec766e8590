import { useEffect, useMemo } from "react";
import type { Document } from "../base/queries";
import type { Area } from "./find";
import { type PageWord, useSlices } from "./queries";
import { foundBySearches, uncoveredOn } from "./uncovered";

type Page = { number: number; words: readonly PageWord[] };

/** What searches know nothing of, page by page; asked of all slices, for one may lie anywhere. */
export function useUncovered(document: Document, read: readonly Page[], isWanted: boolean) {
  const { rows, isPending, hasMore, loadMore } = useSlices(document.id, document.status, undefined);
  useEffect(() => {
    if (isWanted && hasMore) loadMore();
  }, [isWanted, hasMore, loadMore]);
  const isWhole = !isPending && rows.length >= document.slice_count;
  const on = useMemo(() => {
    const found = foundBySearches(rows);
    return new Map<number, readonly Area[]>(
      isWanted && isWhole
        ? read.map(({ number, words }) => [number, uncoveredOn(number, words, found)])
        : [],
    );
  }, [rows, read, isWanted, isWhole]);
  const count = [...on.values()].reduce((sum, areas) => sum + areas.length, 0);
  return { on, count, isWhole };
}
