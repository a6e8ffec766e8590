const WIDTHS = [400, 800, 1200, 1600, 2400, 3000] as const;

/** Whose pages they are: those of a document in one of its readings, or of a preview. */
export type PageOwner =
  | { kind: "document"; id: string; generation: number }
  | { kind: "preview"; id: string };

/** Where a page is drawn: sharp on this screen, and in one of a few widths. */
export function pageSource(owner: PageOwner, page: number, shownPx: number): string {
  const wanted = shownPx * globalThis.devicePixelRatio;
  const width = WIDTHS.find((each) => each >= wanted) ?? 3000;
  const address = `/admin/v1/${owner.kind}s/${owner.id}/pages/${page}/image?width=${width}`;
  return owner.kind === "document" ? `${address}&generation=${owner.generation}` : address;
}
