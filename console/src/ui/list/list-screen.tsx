import type { ReactNode } from "react";
import { formatNumber } from "../../text/formats";
import { Page } from "../page/page";
import { ListBody, type ListProps } from "./list-body";

type Props<T> = ListProps<T> & { context?: string; action?: ReactNode };

/** The pattern of all lists: search, filters, one action, and rows in their four states. */
export function ListScreen<T>({ context, action, ...props }: Props<T>) {
  const { list } = props;
  return (
    <Page
      title={props.title}
      {...(context ? { context } : {})}
      state={list.rows.length > 0 && formatNumber(list.total)}
      actions={action}
    >
      <ListBody {...props} />
    </Page>
  );
}
