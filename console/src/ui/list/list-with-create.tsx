import { type LucideIcon, Plus } from "lucide-react";
import { Button } from "../button/button";
import { EmptyState } from "../empty-state/empty-state";
import { ListBody, type ListProps } from "./list-body";
import styles from "./list-with-create.module.css";

type Props<T> = Omit<ListProps<T>, "empty"> & {
  words: { create: string; empty: string; emptyWhy: string };
  drawing: LucideIcon;
  /** Absent for those who may make none. */
  onCreate: (() => void) | undefined;
};

/** A list with the button that makes a row: above the rows, in their place while there are none. */
export function ListWithCreate<T>({ words, drawing: Drawing, onCreate, ...list }: Props<T>) {
  const create = onCreate && (
    <Button kind="primary" icon={<Plus size={16} />} onClick={onCreate}>
      {words.create}
    </Button>
  );
  return (
    <>
      {create && list.list.rows.length > 0 && <div className={styles.tools}>{create}</div>}
      <ListBody
        {...list}
        empty={
          <EmptyState
            title={words.empty}
            drawing={<Drawing size={40} strokeWidth={1} />}
            action={create}
          >
            {words.emptyWhy}
          </EmptyState>
        }
      />
    </>
  );
}
