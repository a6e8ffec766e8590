import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMemberNames } from "../../api/members";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { formatPoints } from "../../trace/figures";
import { traceText } from "../../trace/text";
import { versionName } from "../../trace/version";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { TypedChip } from "../../ui/chip/typed-chip";
import { Menu, MenuItem } from "../../ui/menu/menu";
import { isMadeUpVersion } from "../../ui/state-badge/made-up";
import { formatMoment } from "./moment";
import { DRAFT, type Filter } from "./queries";
import { intervalOf, type Range, TIMES, USUAL } from "./range";
import { useOccurring, useSubjects } from "./top-queries";
import { topText } from "./top-text";
import type { Text } from "./top-text.en";

const page = getRouteApi("/shell/w/$workspaceId/runs");
const STATES = ["completed", "failed", "cancelled", "interrupted"] as const;
const LONG_MS = [1000, 5000, 30_000, 120_000] as const;
const SHORT_MS = 1000;
const MUCH = ["0.01", "0.1", "1", "10"] as const;
/** Stand in the bar before anybody asks for them. */
const ALWAYS: readonly Filter[] = ["time", "state", "agent", "source", "duration", "sort"];
const ADDED: readonly Filter[] = [
  "workflow",
  "version",
  "feedback",
  "model",
  "tool",
  "tag",
  "cost",
];
/** Typed, as there is no end of them; other screens lead here with them, too. */
const TYPED = ["user", "conversation", "error"] as const;
/** What can be typed of those that are numbers; anything else would be refused. */
const NUMBERS: Readonly<Partial<Record<Filter, RegExp>>> = {
  conversation: /^\d{1,19}$/,
  error: /^\d{1,9}$/,
};

type Props = { workspaceId: string; range: Range; now: number };
type Option = { value: string; label: string };

/** What narrows and orders the runs, kept in the address; rare filters come when asked for. */
export function RunFilters({ workspaceId, range, now }: Props) {
  const text = useText(topText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const [added, setAdded] = useState<readonly Filter[]>([]);
  const options = useOptions(workspaceId, range, now);
  const shown = [...ALWAYS.slice(0, -1), ...ADDED, ...TYPED].filter(
    (each) => ALWAYS.includes(each) || added.includes(each) || search[each] !== undefined,
  );
  const hidden = [...ADDED, ...TYPED].filter((each) => !shown.includes(each));
  function set(filter: Filter, value: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, [filter]: value }), replace: true });
  }
  return (
    <>
      {[...shown, "sort" as const].map((each) =>
        isTyped(each) ? (
          <TypedChip
            key={each}
            label={nameOf(each, text.filters)}
            hint={text.typed[each]}
            value={search[each]}
            name={options(each).find((option) => option.value === search[each])?.label}
            isNew={added.at(-1) === each && search[each] === undefined}
            {...(NUMBERS[each] ? { pattern: NUMBERS[each] } : {})}
            onChange={(value) => set(each, value)}
          />
        ) : (
          <FilterChip
            key={each}
            label={each === "time" && !search.time ? text.times[USUAL] : nameOf(each, text.filters)}
            value={search[each]}
            options={options(each)}
            onChange={(value) => set(each, value)}
          />
        ),
      )}
      {hidden.length > 0 && (
        <Menu
          trigger={
            <Button kind="quiet" icon={<Plus size={14} />}>
              {text.filters.more}
            </Button>
          }
        >
          {hidden.map((each) => (
            <MenuItem key={each} onSelect={() => setAdded([...added, each])}>
              {nameOf(each, text.filters)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}

function isTyped(filter: Filter): filter is (typeof TYPED)[number] {
  return TYPED.some((each) => each === filter);
}

function nameOf(filter: Filter, names: Readonly<Record<string, string>>): string {
  return (filter === "sort" ? names["order"] : names[filter]) ?? filter;
}

/** What each filter may be set to, with what the address says whether it is known here or not. */
function useOptions(workspaceId: string, range: Range, now: number) {
  const text = useText(topText);
  const words = useText(traceText);
  const { states, sources } = words;
  const search = page.useSearch();
  const { agents, workflows } = useSubjects(workspaceId);
  const versions = useOccurring(workspaceId, "version", range);
  const models = useOccurring(workspaceId, "model", range);
  const tools = useOccurring(workspaceId, "tool", range);
  const tags = useOccurring(workspaceId, "tag", range);
  const memberOf = useMemberNames(workspaceId);
  const named = (each: { id: string; name: string }) => ({ value: each.id, label: each.name });
  const plain = (value: string) => ({ value, label: value });
  const known: Readonly<Record<Filter, readonly Option[]>> = {
    time: TIMES.map((value) => ({ value, label: text.times[value] })),
    state: STATES.map((value) => ({ value, label: states[value] ?? value })),
    agent: agents.map(named),
    workflow: workflows.map(named),
    source: Object.entries(sources).map(([value, label]) => ({ value, label })),
    duration: [
      { value: `-${SHORT_MS}`, label: text.below(formatDuration(SHORT_MS)) },
      ...LONG_MS.map((ms) => ({ value: `${ms}-`, label: text.atLeast(formatDuration(ms)) })),
    ],
    feedback: [
      { value: "up", label: text.feedback.up },
      { value: "down", label: text.feedback.down },
    ],
    model: models.map(plain),
    tool: tools.map(plain),
    tag: tags.map(plain),
    cost: MUCH.map((least) => ({ value: `${least}-`, label: text.atLeast(formatPoints(least)) })),
    version: versions
      .filter((version) => !isMadeUpVersion(version))
      .map((version) => ({ value: version || DRAFT, label: versionName(version, words) })),
    user: [],
    conversation: [],
    error: [],
    sort: [
      { value: "duration", label: text.orders.duration },
      { value: "cost", label: text.orders.cost },
    ],
  };
  const interval = intervalOf(range, now) === "day" ? "day" : "hour";
  const rangeName = text.range(
    formatMoment(range.since, interval),
    formatMoment(range.until ?? now, interval),
  );
  return (filter: Filter): readonly Option[] => {
    const value = search[filter];
    if (value === undefined || known[filter].some((each) => each.value === value))
      return known[filter];
    const label =
      filter === "time"
        ? rangeName
        : filter === "duration"
          ? between(value, (ms) => formatDuration(Number(ms)), text)
          : filter === "cost"
            ? between(value, formatPoints, text)
            : (filter === "user" && memberOf(value)) || value;
    return [...known[filter], { value, label }];
  };
}

/** A range that no menu offers, in words. */
function between(value: string, format: (end: string) => string, text: Text): string {
  const [least, most] = value.split("-");
  if (least && most) return text.range(format(least), format(most));
  if (least) return text.atLeast(format(least));
  return most ? text.below(format(most)) : value;
}
