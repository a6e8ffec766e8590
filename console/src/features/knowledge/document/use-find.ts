import { useState } from "react";
import { useRested } from "../../../api/list";
import { needleOf, stepped } from "./find";

/** What is looked for in a document, and at which hit one is. */
export function useFind() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  return {
    typed,
    needle: needleOf(useRested(typed)),
    at,
    type: (value: string) => {
      setTyped(value);
      setAt(0);
    },
    step: (by: 1 | -1, count: number) => setAt(stepped(at, by, count)),
  };
}
