import { useEffect, useState } from "react";
import { useLanguage } from "../../text/catalogue";
import { formatExact, formatRelative } from "../../text/formats";

const TICK_MS = 30_000;

/** When something happened: how long ago, and exactly on hover and to screen readers. */
export function Ago({ at }: { at: number | null | undefined }) {
  useLanguage();
  const now = useNow();
  if (!at) return null;
  const exact = formatExact(at);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exact}>
      {formatRelative(at, now)}
    </time>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
