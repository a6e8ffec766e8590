import { isMadeUpVersion } from "../ui/state-badge/made-up";
import type { Text } from "./text.en";

/** What a run was of: the draft, or a version by the name that people gave it. */
export function versionName(version: string, text: Text): string {
  if (!version) return text.draft;
  return isMadeUpVersion(version) ? text.published : version;
}
