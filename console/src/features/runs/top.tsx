import type { Worth } from "./column-choice";
import { ListTools } from "./list-tools";
import type { RunSearch } from "./queries";
import type { Range } from "./range";
import { RunFilters } from "./run-filters";
import { Summary } from "./summary";

export { topText as text } from "./top-text";

type Props = {
  /** Beside the search, at the end of that line, or between it and the rows. */
  part: "filters" | "tools" | "summary";
  workspaceId: string;
  search: RunSearch;
  range: Range;
  now: number;
  worth: Worth;
};

/** What stands above the rows; they do not wait for it. */
export function Top({ part, workspaceId, search, range, now, worth }: Props) {
  if (part === "tools") return <ListTools workspaceId={workspaceId} worth={worth} />;
  if (part === "filters") return <RunFilters workspaceId={workspaceId} range={range} now={now} />;
  return <Summary workspaceId={workspaceId} search={search} range={range} now={now} />;
}
