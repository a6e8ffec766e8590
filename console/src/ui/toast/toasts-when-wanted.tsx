import { lazy, Suspense, useEffect, useState } from "react";
import { onNotice } from "./toasts";

const Toasts = lazy(() => import("./toast"));

/** Notices, whose code comes with the first of them. */
export function ToastsWhenWanted() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onNotice(() => setWanted(true)), []);
  return <Suspense>{isWanted && <Toasts />}</Suspense>;
}
