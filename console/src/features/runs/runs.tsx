import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useRested } from "../../api/list";
import { membersQuery } from "../../api/members";
import { usePreferences } from "../../session/preferences";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { currentLanguage } from "../../text/language";
import { Button } from "../../ui/button/button";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListBody } from "../../ui/list/list-body";
import { Page } from "../../ui/page/page";
import { shownColumns } from "./column-choice";
import { useColumns } from "./columns";
import { FILTERS, MOST_FRESH, type Run, useFresh, useRuns } from "./queries";
import { rangeOf } from "./range";
import { RunMenu } from "./run-menu";
import styles from "./runs.module.css";
import { runsText } from "./text";

const Top = lazy(async () => {
  const { Top, text } = await import("./top");
  await text.load(currentLanguage());
  return { default: Top };
});
const page = getRouteApi("/shell/w/$workspaceId/runs");
/** A search looks into some hundred runs a time, and goes on by itself so often. */
const SEARCHES = 8;
const ENOUGH_ROWS = 20;
const ALL = { hasCost: true, hasTags: true };

/** What agents and workflows of a workspace did, newest first. */
export function Runs() {
  const text = useText(runsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const queries = useQueryClient();
  const workspace = useWorkspace(workspaceId);
  const [now, setNow] = useState(nextMinute);
  const range = rangeOf(search.time, now);
  const asked = { ...search, q: useRested(search.q, 300) };
  const wanted = usePreferences()?.run_columns;
  const list = useRuns(workspaceId, asked, range, shownColumns(wanted, ALL).includes("question"));
  const listed = list.isPending || list.failure ? undefined : list.rows;
  const fresh = useFresh(workspaceId, asked, range, listed, may(workspace, "trace.read"));
  const further = useSearchOn(list, `${asked.q} ${search.time}`, Boolean(asked.q));
  const { data: members } = useQuery(membersQuery(workspaceId));
  const hasCost = list.rows.some((run) => Number(run.cost) > 0);
  const hasTags = list.rows.some((run) => run.tags.length > 0);
  const worth = useMemo(() => ({ hasCost, hasTags }), [hasCost, hasTags]);
  const shown = useMemo(() => shownColumns(wanted, worth), [wanted, worth]);
  const columns = useColumns(members?.items, shown);
  const isNarrowed = Boolean(
    search.q || FILTERS.some((each) => each !== "sort" && each !== "time" && search[each]),
  );
  function open(run: Run): void {
    void navigate({
      to: "/w/$workspaceId/runs/$runId",
      params: { workspaceId, runId: run.run_id },
    });
  }
  function showFresh(): void {
    setNow(nextMinute());
    void queries.invalidateQueries({ queryKey: ["admin.traces.list"] });
    void queries.invalidateQueries({ queryKey: ["admin.trace_stats.get"] });
  }
  const isFirst = listed?.length === 0 && fresh > 0;
  // Nothing is pushed aside by the first ones: nobody has to ask for them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, whatever is drawn again
  useEffect(() => {
    if (isFirst) showFresh();
  }, [isFirst]);
  const top = (part: "filters" | "tools" | "summary") => (
    <Suspense>
      <Top
        part={part}
        workspaceId={workspaceId}
        search={asked}
        range={range}
        now={now}
        worth={worth}
      />
    </Suspense>
  );
  return (
    <Page
      title={text.title}
      context={workspace?.name ?? ""}
      actions={
        fresh > 0 &&
        !isFirst && (
          <Button size="compact" onClick={showFresh}>
            {fresh < MOST_FRESH ? text.fresh(fresh) : text.manyFresh(fresh)}
          </Button>
        )
      }
    >
      <ListBody
        title={text.title}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (q) =>
            void navigate({ search: (old) => ({ ...old, q: q || undefined }), replace: true }),
        }}
        filters={top("filters")}
        views={top("tools")}
        above={<div className={styles.summary}>{top("summary")}</div>}
        isNarrowed={isNarrowed || search.time !== undefined}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{
          title: search.q ? `${text.noMatch}. ${text.noMatchWhy}` : text.noMatch,
          clear: text.clearFilters,
        }}
        empty={
          <EmptyState title={text.empty} drawing={<Activity size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={{ ...list, isPending: list.isPending || further.isSearching }}
        columns={columns}
        keyOf={(run) => run.run_id}
        menu={(run) => <RunMenu run={run} />}
        onKey={(key, run) => key === "Enter" && open(run)}
      />
      {further.isPaused && (
        <div className={styles.further}>
          {text.searched}
          <Button size="compact" onClick={further.goOn}>
            {text.searchOn}
          </Button>
        </div>
      )}
    </Page>
  );
}

type Listed = ReturnType<typeof useRuns>;

/** A page of a search may be short or empty; goes on until a screen is full, or for long enough. */
function useSearchOn(list: Listed, key: string, isSearch: boolean) {
  const [state, setState] = useState({ key, times: 0 });
  const times = state.key === key ? state.times : 0;
  const isShort = isSearch && list.rows.length < ENOUGH_ROWS;
  const { hasMore, loadMore } = list;
  useEffect(() => {
    if (!isShort || !hasMore || times >= SEARCHES) return;
    setState({ key, times: times + 1 });
    loadMore();
  }, [isShort, hasMore, loadMore, times, key]);
  return {
    isSearching: isShort && list.rows.length === 0 && hasMore && times < SEARCHES,
    isPaused: isShort && hasMore && times >= SEARCHES,
    goOn: () => setState({ key, times: 0 }),
  };
}

/** Rounded, so that what is asked for stays the same for a while. */
function nextMinute(): number {
  return Math.ceil(Date.now() / 60_000) * 60;
}
