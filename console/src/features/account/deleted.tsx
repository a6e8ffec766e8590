import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../api/list";
import { deletedQuery, useRestoreWorkspace } from "../../session/deleted";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Section } from "../../ui/page/section";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import styles from "./sessions.module.css";
import { accountText } from "./text";

const DAY_S = 24 * 3600;

/** Workspaces that one deleted and can bring back; nothing where there are none. */
export function Deleted() {
  const text = useText(accountText);
  const { data } = useQuery(deletedQuery);
  const { mutate, isPending, variables, error } = useRestoreWorkspace();
  const [now] = useState(() => Date.now() / 1000);
  const failure = failureOf(error);
  if (!data?.items.length) return null;
  return (
    <Section title={text.deleted}>
      <p className={styles.note}>{text.deletedWhy}</p>
      {failure && <ErrorLine failure={failure} />}
      <ul className={styles.list}>
        {data.items.map((each) => (
          <li key={each.id} className={styles.row}>
            <div className={styles.words}>
              <p className={styles.name}>{each.name}</p>
              <p className={styles.note}>
                {text.deletedAt} <Ago at={each.deleted_at} />
                {each.restorable_until &&
                  ` · ${text.daysLeft(Math.max(Math.ceil((each.restorable_until - now) / DAY_S), 0))}`}
              </p>
            </div>
            <Button
              size="compact"
              isLoading={isPending && variables.id === each.id}
              aria-label={text.restoreOf(each.name)}
              onClick={() => mutate(each, { onSuccess: () => toast(text.restored(each.name)) })}
            >
              {text.restore}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
