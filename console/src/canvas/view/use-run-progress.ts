import { useEffect } from "react";
import { useText } from "../../text/catalogue";
import { useFollowed } from "../run/overlay";
import { useRunControl } from "../run/run-store";
import { useCanvasStore } from "../store";
import { canvasText } from "../text";
import { useReveal } from "./use-sight";

/** Whoever listens is told how far a run is this often at most. */
const SAID_MS = 3000;

/** Goes along with a run: says how far it is, and keeps the running node in sight where asked to. */
export function useRunProgress(): void {
  const text = useText(canvasText).run;
  const store = useCanvasStore();
  const { store: runs } = useRunControl();
  const reveal = useReveal();
  const followed = useFollowed();
  useEffect(() => {
    if (followed) reveal([followed]);
  }, [followed, reveal]);
  useEffect(() => {
    let last = { at: Number.NEGATIVE_INFINITY, phase: "" };
    return runs.subscribe(({ view }) => {
      const at = performance.now();
      if (!view || (view.phase === last.phase && at - last.at < SAID_MS)) return;
      last = { at, phase: view.phase };
      const { phase, ended, begun } = view;
      store.getState().say(phase === "running" ? text.nodes(ended, begun) : text.phases[phase]);
    });
  }, [runs, store, text]);
}
