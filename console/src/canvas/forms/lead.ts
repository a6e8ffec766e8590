import { type RefObject, useEffect } from "react";
import { pointerOf } from "../document/pointer";
import type { Path } from "../document/tree";
import { useCanvas, useCanvasStore } from "../store";

/** Says of a part of a form which place of the node it shows: what is found there leads to it. */
export function shows(path: Path): { "data-shows": string } {
  return { "data-shows": pointerOf(path).toLowerCase() };
}

/** What is written in, before what opens something, before what does something at once. */
const FIELDS = [
  "input:not([aria-hidden=true]), textarea, select, [contenteditable=true]",
  "button[aria-haspopup]",
  "button",
];

/** The first field of the smallest part of a form that shows a place, or something inside it. */
export function fieldAt(form: HTMLElement, place: Path): HTMLElement | undefined {
  const wanted = shows(place)["data-shows"];
  const parts = [...form.querySelectorAll<HTMLElement>("[data-shows]")].map((part) => ({
    part,
    shown: part.dataset["shows"] ?? "",
  }));
  const [around] = parts
    .filter(({ shown }) => leadsInto(shown, wanted))
    .sort((one, other) => other.shown.length - one.shown.length);
  const found = around ?? parts.find(({ shown }) => leadsInto(wanted, shown));
  for (const kind of FIELDS) {
    const fields = [...(found?.part.querySelectorAll<HTMLElement>(kind) ?? [])];
    const field = fields.find((each) => !each.matches(":disabled"));
    if (field) return field;
  }
  return undefined;
}

function leadsInto(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Goes to the field that somebody was led to; parts of a form that are still loaded have it late. */
export function useLead(form: RefObject<HTMLElement | null>): void {
  const store = useCanvasStore();
  const place = useCanvas((state) => state.place);
  useEffect(() => {
    const element = form.current;
    if (!element || !place) return;
    const go = (): boolean => {
      const field = fieldAt(element, place);
      field?.focus({ preventScroll: true });
      field?.scrollIntoView({ block: "center" });
      if (field) store.getState().open("node");
      return field !== undefined;
    };
    if (go()) return;
    const late = new MutationObserver(() => go() && late.disconnect());
    late.observe(element, { childList: true, subtree: true });
    return () => late.disconnect();
  }, [form, place, store]);
}
