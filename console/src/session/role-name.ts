import { useCallback } from "react";
import { useText } from "../text/catalogue";
import { sessionText } from "./text";

/** How roles are called; one that is not known here keeps the word of the server. */
export function useRoleName(): (role: string) => string {
  const names: Readonly<Record<string, string>> = useText(sessionText).roles;
  return useCallback((role) => names[role] ?? role, [names]);
}
