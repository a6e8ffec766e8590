import { getRouteApi } from "@tanstack/react-router";
import { MailCheck, RotateCcw } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListBody } from "../../ui/list/list-body";
import type { Column } from "../../ui/table/table";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import styles from "./operations.module.css";
import { type Letter, type LetterFilter, useLetters, useRetryLetters } from "./queries";
import { operationsText } from "./text";

const LetterSheet = lazy(() => import("./letter-sheet"));
const DropLetters = lazy(() => import("./drop-letters"));
const page = getRouteApi("/shell/operations/{-$tab}");

/** Events that a consumer gave up, to be delivered again or dropped. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function DeadLetters() {
  const { letters: text } = useText(operationsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const q = useRested(search.q);
  const filter: LetterFilter = {
    ...(search.consumer && { consumer: search.consumer }),
    ...(q && { q }),
  };
  const list = useLetters(filter);
  const retry = useRetryLetters();
  const failure = failureOf(retry.error);
  const columns = useColumns();
  const [shown, setShown] = useState<Letter>();
  const [doomed, setDoomed] = useState<{ filter: LetterFilter; count: number }>();
  const consumers = [
    ...new Set([
      ...list.rows.map((row) => row.consumer),
      ...(search.consumer ? [search.consumer] : []),
    ]),
  ].sort();
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  return (
    <>
      {failure && <ErrorLine failure={failure} />}
      <ListBody
        title={text.label}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => set({ q: value || undefined }),
        }}
        filters={
          <>
            <FilterChip
              label={text.consumer}
              value={search.consumer}
              options={consumers.map((value) => ({ value, label: value }))}
              onChange={(value) => set({ consumer: value })}
            />
            {list.total > 0 && (
              <span className={styles.aside}>
                <Button onClick={() => setDoomed({ filter, count: list.total })}>
                  {text.dropAll(list.total)}
                </Button>
                <Button
                  kind="primary"
                  icon={<RotateCcw size={16} />}
                  isLoading={retry.isPending}
                  onClick={() =>
                    retry.mutate(filter, { onSuccess: ({ count }) => toast(text.retried(count)) })
                  }
                >
                  {text.retryAll(list.total)}
                </Button>
              </span>
            )}
          </>
        }
        isNarrowed={Object.keys(filter).length > 0}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clear }}
        empty={
          <EmptyState title={text.empty} drawing={<MailCheck size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(letter) => `${letter.event_id} ${letter.consumer}`}
        menuWidth="88px"
        menu={(letter) => (
          <Button size="compact" kind="quiet" onClick={() => setShown(letter)}>
            {text.details}
          </Button>
        )}
        onKey={(key, letter) => key === "Enter" && setShown(letter)}
      />
      <Suspense>
        {shown && (
          <LetterSheet
            letter={shown}
            onDrop={() =>
              setDoomed({
                filter: { event_id: shown.event_id, consumer: shown.consumer },
                count: 1,
              })
            }
            onClose={() => setShown(undefined)}
          />
        )}
        {doomed && (
          <DropLetters
            {...doomed}
            onDropped={() => setShown(undefined)}
            onClose={() => setDoomed(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function useColumns(): readonly Column<Letter>[] {
  const { letters: text } = useText(operationsText);
  return useMemo(
    () => [
      {
        key: "topic",
        label: text.columns.topic,
        width: "minmax(110px, 1fr)",
        render: (letter) => <code>{letter.topic}</code>,
      },
      {
        key: "consumer",
        label: text.columns.consumer,
        width: "minmax(110px, 180px)",
        leaveOut: "narrow",
        render: (letter) => letter.consumer,
      },
      {
        key: "error",
        label: text.columns.error,
        width: "minmax(160px, 2fr)",
        render: (letter) => <span title={letter.error}>{letter.error}</span>,
      },
      {
        key: "attempts",
        label: text.columns.attempts,
        width: "80px",
        isNumber: true,
        leaveOut: "medium",
        render: (letter) => letter.attempts,
      },
      {
        key: "died",
        label: text.columns.died,
        width: "104px",
        isNumber: true,
        leaveOut: "narrow",
        render: (letter) => <Ago at={letter.died_at} />,
      },
    ],
    [text],
  );
}
