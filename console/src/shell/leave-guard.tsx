import { useBlocker } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { hasUnsaved } from "../ui/form/unsaved";

const LeaveQuestion = lazy(() => import("../ui/form/leave-question"));

/** Asks before somebody leaves a screen, or the console, with what they entered and did not save. */
export function LeaveGuard() {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasUnsaved() &&
      // Everything else in the address leaves what is on the screen where it is.
      (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <Suspense>
      {leaving.status === "blocked" && (
        <LeaveQuestion onStay={leaving.reset} onLeave={leaving.proceed} />
      )}
    </Suspense>
  );
}

function tabOf(search: object): unknown {
  return "tab" in search ? search.tab : undefined;
}
