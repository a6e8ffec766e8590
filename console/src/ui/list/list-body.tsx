import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { EmptyState } from "../empty-state/empty-state";
import { ErrorState } from "../error-state/error-state";
import type { Failure } from "../error-state/failure";
import { searchRequest } from "../page/page-request";
import { useLate } from "../skeleton/use-late";
import type { Selection } from "../table/selection";
import { type Column, Table } from "../table/table";
import { uiText } from "../text";
import { SearchField } from "../text-field/search-field";
import unseen from "../unseen.module.css";
import styles from "./list-body.module.css";

/** Loaded with the first list that is looked at as cards. */
const Cards = lazy(() => import("./cards"));

/** Rows as a query has them. */
type Rows<T> = {
  rows: readonly T[];
  total: number;
  isPending: boolean;
  hasMore: boolean;
  /** Whether there are more than a list keeps. */
  isFull?: boolean;
  loadMore: () => void;
  failure: Failure | undefined;
  retry: () => void;
};

export type ListProps<T> = {
  /** Names the table for those who do not see the title. */
  title: string;
  /** Absent where a list is short by its nature. */
  search?: { label: string; value: string; onChange: (value: string) => void };
  filters?: ReactNode;
  /** Stands between the filters and the rows: what all of them come to. */
  above?: ReactNode;
  /** Whether search or filters leave anything out. */
  isNarrowed?: boolean;
  onClearFilters?: () => void;
  /** What the filters say, for when nothing matches. */
  noMatch?: { title: string; clear: string };
  empty: ReactNode;
  list: Rows<T>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  nameOf?: (row: T) => string;
  menu?: (row: T) => ReactNode;
  menuWidth?: string;
  /** Shows each as a card instead of a row. */
  card?: ((row: T) => ReactNode) | undefined;
  /** How the list is looked at; stands at the end of the filters. */
  views?: ReactNode;
  selection?: Selection | undefined;
  /** What can be done with the chosen rows; stands in the place of search and filters. */
  bulk?: ReactNode;
  onKey?: (key: string, row: T) => void;
};

/** Search, filters, and rows in their four states. */
export function ListBody<T>(props: ListProps<T>) {
  const { title, list, search, isNarrowed, selection } = props;
  const text = useText(uiText);
  const field = useRef<HTMLInputElement>(null);
  const { isLate, isVeryLate } = useLate(list.isPending);
  useEffect(() => searchRequest.on(() => field.current?.focus()), []);
  const isEmpty = !list.isPending && !list.failure && list.rows.length === 0;
  const isBlank = isEmpty && !isNarrowed;
  const isChosen = selection !== undefined && selection.chosen.size > 0;
  return (
    <>
      {!isBlank && !isChosen && (search || props.filters) && (
        <search className={styles.tools}>
          {search && (
            <SearchField
              ref={field}
              label={search.label}
              value={search.value}
              onChange={search.onChange}
            />
          )}
          <div className={styles.choices}>
            {props.filters}
            {props.views && <div className={styles.views}>{props.views}</div>}
          </div>
        </search>
      )}
      {isChosen && <div className={styles.tools}>{props.bulk}</div>}
      {!isBlank && props.above}
      {list.failure && <ErrorState failure={list.failure} onRetry={list.retry} />}
      {isBlank && props.empty}
      {isEmpty && isNarrowed && props.noMatch && (
        <EmptyState
          title={props.noMatch.title}
          action={<Button onClick={props.onClearFilters}>{props.noMatch.clear}</Button>}
        />
      )}
      {!isEmpty && !list.failure && props.card && (
        <Suspense>
          <Cards
            label={title}
            cards={cardsOf(list.rows, props.keyOf, props.card)}
            isLoading={isLate}
            hasMore={list.hasMore}
            onMore={list.loadMore}
          />
        </Suspense>
      )}
      {!isEmpty && !list.failure && !props.card && (
        <Table
          label={title}
          columns={props.columns}
          rows={list.rows}
          total={list.total}
          keyOf={props.keyOf}
          isLoading={isLate}
          hasMore={list.hasMore}
          onMore={list.loadMore}
          {...(props.nameOf ? { nameOf: props.nameOf } : {})}
          {...(props.menu ? { menu: props.menu } : {})}
          {...(props.menuWidth ? { menuWidth: props.menuWidth } : {})}
          {...(selection ? { selection } : {})}
          {...(props.onKey ? { onKey: props.onKey } : {})}
        />
      )}
      {list.isFull && (
        <p role="status" className={styles.full}>
          {text.full(list.rows.length, list.total)}
          {(search || props.filters) && ` ${text.fullNarrow}`}
        </p>
      )}
      <p aria-live="polite" className={isVeryLate ? styles.late : unseen.unseen}>
        {isVeryLate ? text.takesLonger : ""}
      </p>
    </>
  );
}

function cardsOf<T>(rows: readonly T[], keyOf: (row: T) => string, card: (row: T) => ReactNode) {
  return rows.map((row) => ({ key: keyOf(row), content: card(row) }));
}
