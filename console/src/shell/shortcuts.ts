import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { hasLetters } from "../session/appearance";
import { may, useSession, type Workspace } from "../session/session";
import { searchRequest } from "../ui/page/page-request";
import { placesFor, SECTIONS } from "./sections";

/** How long `G` waits for the letter behind it. */
const SEQUENCE_MS = 1200;

type Options = {
  workspace: Workspace | undefined;
  onFind: () => void;
  onHelp: () => void;
  onFold: () => void;
};

/** The keys that work on every screen; single letters outside fields and dialogs only. */
export function useShortcuts({ workspace, onFind, onHelp, onFold }: Options): void {
  const navigate = useNavigate();
  const { user } = useSession();
  const onKey = useEffectEvent((event: KeyboardEvent, isAfterG: boolean): boolean => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      onFind();
      return false;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return false;
    if (!hasLetters()) return false;
    if (isAfterG) return goTo(event.key);
    if (event.key === "g") return true;
    const actions: Readonly<Record<string, () => void>> = {
      "?": onHelp,
      "/": () => searchRequest.ask(),
      "\\": onFold,
      j: enterList,
      k: enterList,
    };
    const action = actions[event.key];
    if (!action) return false;
    event.preventDefault();
    action();
    return false;
  });
  function goTo(letter: string): false {
    const place = placesFor(user).find((each) => each.letter === letter);
    if (place) void navigate({ to: place.to });
    const section = SECTIONS.find((each) => each.letter === letter);
    if (section && workspace && may(workspace, section.permission)) {
      void navigate({ to: section.to, params: { workspaceId: workspace.id } });
    }
    return false;
  }
  useEffect(() => {
    let isAfterG = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function listen(event: KeyboardEvent): void {
      if (event.defaultPrevented) return;
      clearTimeout(timer);
      isAfterG = onKey(event, isAfterG);
      timer = setTimeout(() => {
        isAfterG = false;
      }, SEQUENCE_MS);
    }
    document.addEventListener("keydown", listen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", listen);
    };
  }, []);
}

/** Goes to the row of the screen's list that Tab would reach, from where its own keys walk on. */
function enterList(): void {
  const rows = "[role=grid] [role=row], [role=treegrid] [role=row]";
  const all = [...document.querySelectorAll<HTMLElement>(rows)];
  all.find((row) => row.tabIndex === 0)?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu]") !==
    null
  );
}
