const WIDTHS = [400, 800, 1200, 1600, 2400, 3000] as const;

/** Where a page is drawn: sharp on this screen, and in one of a few widths. */
export function pageSource(
  documentId: string,
  generation: number,
  page: number,
  shownPx: number,
): string {
  const wanted = shownPx * globalThis.devicePixelRatio;
  const width = WIDTHS.find((each) => each >= wanted) ?? 3000;
  return `/admin/v1/documents/${documentId}/pages/${page}/image?width=${width}&generation=${generation}`;
}
