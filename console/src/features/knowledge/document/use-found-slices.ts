import { useEffect } from "react";
import type { Document } from "../base/queries";
import { type Slice, useSlices } from "./queries";
import { foundBySearches } from "./uncovered";

/** All slices that searches can find, once they are wanted; nothing before all are here. */
export function useFoundSlices(
  document: Document,
  isWanted: boolean,
): readonly Slice[] | undefined {
  const { rows, isPending, hasMore, loadMore } = useSlices(document.id, document.status, undefined);
  useEffect(() => {
    if (isWanted && hasMore) loadMore();
  }, [isWanted, hasMore, loadMore]);
  const isWhole = !isPending && rows.length >= document.slice_count;
  return isWanted && isWhole ? foundBySearches(rows) : undefined;
}
