import { useQuery } from "@tanstack/react-query";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Section } from "../../ui/page/section";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import { deviceName } from "./device";
import { sessionsQuery, useEndSession } from "./queries";
import styles from "./sessions.module.css";
import { accountText } from "./text";

/** Where the account is signed in, and how to end that. */
export function Sessions() {
  const text = useText(accountText);
  const { data, error } = useQuery(sessionsQuery);
  const { mutate, isPending, error: refusal } = useEndSession();
  const failure = failureOf(error ?? refusal);
  function end(sessionId?: string): void {
    mutate(sessionId, { onSuccess: () => toast(text.ended) });
  }
  return (
    <Section title={text.sessions}>
      {failure && <ErrorLine failure={failure} />}
      <ul className={styles.list}>
        {data?.items.map((session) => (
          <li key={session.id} className={styles.row}>
            <div className={styles.words}>
              <p className={styles.name}>{deviceName(session.device)}</p>
              <p className={styles.note}>
                {session.is_current ? text.thisOne : <Seen at={session.last_used_at} />}
                {session.address && ` · ${session.address}`}
              </p>
            </div>
            {!session.is_current && (
              <Button
                size="compact"
                aria-label={text.endOf(deviceName(session.device))}
                onClick={() => end(session.id)}
              >
                {text.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data && data.items.length > 1 && (
        <div>
          <Button isLoading={isPending} onClick={() => end()}>
            {text.endOthers}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Seen({ at }: { at: number | null }) {
  const text = useText(accountText);
  if (at === null) return text.elsewhere;
  return (
    <>
      {text.seen} <Ago at={at} />
    </>
  );
}
