import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { KeptLine } from "../../../agent/kept-line";
import { failureOf, useRested } from "../../../api/list";
import { useMemberNames } from "../../../api/members";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { SearchField } from "../../../ui/text-field/search-field";
import { Ago } from "../../../ui/time/ago";
import { type Owner, type Person, usePeople, useValues } from "./queries";
import { variablesText } from "./text";
import styles from "./variables.module.css";

type Props = {
  workspaceId: string;
  owner: Owner;
  /** Names of variables that have one value for everybody. */
  shared: ReadonlySet<string>;
  canWrite: boolean;
};

/** Of whom something is kept; each unfolds to the values. */
export function People({ workspaceId, owner, shared, canWrite }: Props) {
  const text = useText(variablesText);
  const nameOf = useMemberNames(workspaceId);
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<string>();
  const list = usePeople(owner, useRested(query) ?? "");
  return (
    <div className={styles.list}>
      <SearchField label={text.search} value={query} onChange={setQuery} />
      {list.failure && <ErrorLine failure={list.failure} />}
      {!list.isPending && !list.failure && list.rows.length === 0 && (
        <p className={styles.note}>{query ? text.noMatch : text.nobody}</p>
      )}
      <ul>
        {list.rows.map(({ end_user_id: id, connector_id: connector, variables, last_at: at }) => {
          const key = `${connector} ${id}`;
          const name = nameOf(id) || id;
          return (
            <li key={key}>
              <button
                type="button"
                aria-expanded={open === key}
                className={styles.person}
                onClick={() => setOpen(open === key ? undefined : key)}
              >
                <span className={styles.name}>{name}</span>
                <span className={styles.facts}>{text.values(variables)}</span>
                <span className={styles.facts}>
                  <Ago at={at} />
                </span>
              </button>
              {open === key && (
                <Values
                  owner={owner}
                  person={{ id, connector }}
                  name={name}
                  shared={shared}
                  canWrite={canWrite}
                />
              )}
            </li>
          );
        })}
      </ul>
      {list.hasMore && (
        <div>
          <Button size="compact" onClick={list.loadMore}>
            {text.more}
          </Button>
        </div>
      )}
    </div>
  );
}

type ValuesProps = Omit<Props, "workspaceId"> & { person: Person; name: string };

function Values({ owner, person, name, shared, canWrite }: ValuesProps) {
  const text = useText(variablesText);
  const { values, write, reset } = useValues(owner, person);
  const failure = failureOf(values.error ?? write.error ?? reset.error);
  const items = values.data?.items;
  return (
    <section aria-label={text.valuesOf(name)} className={styles.values}>
      {items?.length === 0 && <p className={styles.note}>{text.none}</p>}
      {items?.map(({ keyword, value }) => (
        <KeptLine
          key={keyword}
          name={
            <>
              {keyword}
              {shared.has(keyword) && <span className={styles.forAll}>{text.forAll}</span>}
            </>
          }
          value={value}
          canWrite={canWrite}
          onChange={(next) => write.mutate({ keyword, value: next })}
        >
          {canWrite && (
            <IconButton
              size="compact"
              label={text.reset(keyword)}
              icon={<RotateCcw size={14} />}
              onClick={() => reset.mutate(keyword)}
            />
          )}
        </KeptLine>
      ))}
      {failure && <ErrorLine failure={failure} />}
      {canWrite && items && items.length > 1 && (
        <div className={styles.verb}>
          <Button
            size="compact"
            isLoading={reset.isPending}
            onClick={() => reset.mutate(undefined)}
          >
            {text.resetAll}
          </Button>
        </div>
      )}
    </section>
  );
}
