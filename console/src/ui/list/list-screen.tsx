import { type ReactNode, useEffect, useRef } from "react";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { Button } from "../button/button";
import { EmptyState } from "../empty-state/empty-state";
import { ErrorState } from "../error-state/error-state";
import type { Failure } from "../error-state/failure";
import { Page } from "../page/page";
import { onSearchKey } from "../page/search-key";
import { useLate } from "../skeleton/use-late";
import { type Column, Table } from "../table/table";
import { uiText } from "../text";
import { SearchField } from "../text-field/search-field";
import styles from "./list-screen.module.css";

/** Rows as a query has them. */
type Rows<T> = {
  rows: readonly T[];
  total: number;
  isPending: boolean;
  hasMore: boolean;
  loadMore: () => void;
  failure: Failure | undefined;
  retry: () => void;
};

type Props<T> = {
  title: string;
  context?: string;
  action?: ReactNode;
  search: { label: string; value: string; onChange: (value: string) => void };
  filters?: ReactNode;
  /** Whether search or filters leave anything out. */
  isNarrowed: boolean;
  onClearFilters: () => void;
  /** What the filters say, for when nothing matches. */
  noMatch: { title: string; clear: string };
  empty: ReactNode;
  list: Rows<T>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  menu?: (row: T) => ReactNode;
  onKey?: (key: string, row: T) => void;
};

/** The pattern of all lists: search, filters, one action, and rows in their four states. */
export function ListScreen<T>(props: Props<T>) {
  const { title, list, search, isNarrowed } = props;
  const text = useText(uiText);
  const field = useRef<HTMLInputElement>(null);
  const { isLate, isVeryLate } = useLate(list.isPending);
  useEffect(() => onSearchKey(() => field.current?.focus()), []);
  const isEmpty = !list.isPending && !list.failure && list.rows.length === 0;
  const isBlank = isEmpty && !isNarrowed;
  return (
    <Page
      title={title}
      {...(props.context ? { context: props.context } : {})}
      state={list.rows.length > 0 && formatNumber(list.total)}
      actions={props.action}
    >
      {!isBlank && (
        <search className={styles.tools}>
          <SearchField
            ref={field}
            label={search.label}
            value={search.value}
            onChange={search.onChange}
          />
          {props.filters}
        </search>
      )}
      {list.failure && <ErrorState failure={list.failure} onRetry={list.retry} />}
      {isBlank && props.empty}
      {isEmpty && isNarrowed && (
        <EmptyState
          title={props.noMatch.title}
          action={<Button onClick={props.onClearFilters}>{props.noMatch.clear}</Button>}
        />
      )}
      {!isEmpty && !list.failure && (
        <Table
          label={title}
          columns={props.columns}
          rows={list.rows}
          total={list.total}
          keyOf={props.keyOf}
          isLoading={isLate}
          hasMore={list.hasMore}
          onMore={list.loadMore}
          {...(props.menu ? { menu: props.menu } : {})}
          {...(props.onKey ? { onKey: props.onKey } : {})}
        />
      )}
      <p aria-live="polite" className={isVeryLate ? styles.late : styles.unseen}>
        {isVeryLate ? text.takesLonger : ""}
      </p>
    </Page>
  );
}
