import { useEffect, useState } from "react";

/** Waits shorter than this are not shown. */
const PATIENCE_MS = 300;
const LONG_MS = 10_000;

/** Whether something has been going on for so long that it is shown, or talked about. */
export function useLate(isPending: boolean): { isLate: boolean; isVeryLate: boolean } {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    setStage(0);
    if (!isPending) return;
    const timers = [setTimeout(setStage, PATIENCE_MS, 1), setTimeout(setStage, LONG_MS, 2)];
    return () => timers.forEach(clearTimeout);
  }, [isPending]);
  return { isLate: isPending && stage > 0, isVeryLate: isPending && stage > 1 };
}
