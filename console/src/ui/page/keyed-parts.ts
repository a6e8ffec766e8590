import { useEffect } from "react";

/** A part of a screen that answers keys of its own. */
export type KeyedPart = "list" | "cells" | "steps" | "canvas" | "workbench";

const shown: KeyedPart[] = [];

/** Has the keys of a part listed as long as it is shown. */
export function useKeyedPart(part: KeyedPart): void {
  useEffect(() => {
    shown.push(part);
    return () => void shown.splice(shown.indexOf(part), 1);
  }, [part]);
}

/** The parts that are shown, each once. */
export function keyedParts(): readonly KeyedPart[] {
  return [...new Set(shown)];
}
