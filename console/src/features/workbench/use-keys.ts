import { useEffect, useRef } from "react";

/** What keys do, by their names: `mod+s`, `mod+shift+p`. */
type Keys = Readonly<Record<string, () => void>>;

/** Lets keys act on the whole screen while it is shown, in its fields too, but not under dialogs. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const act =
        current.current[`mod+${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`];
      if (!act || document.querySelector("[role=dialog],[role=alertdialog]")) return;
      event.preventDefault();
      act();
    }
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
