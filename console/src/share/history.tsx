import { useEffect, useState } from "react";
import { useText } from "../text/catalogue";
import { formatRelative } from "../text/formats";
import { SideSheet } from "../ui/dialog/side-sheet";
import styles from "./history.module.css";
import { wordsOf } from "./refusal";
import { shareText } from "./text";
import type { Visit } from "./visit";

type Conversation = { id: string; name: string; updated_at: number };

type Props = {
  visit: Visit;
  current: string | undefined;
  onChoose: (id: string) => void;
  onClose: () => void;
};

/** What the visitor talked about here, newest first. */
export function History({ visit, current, onChoose, onClose }: Props) {
  const text = useText(shareText);
  const [items, setItems] = useState<readonly Conversation[]>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const leaving = new AbortController();
    visit
      .call("GET", "/conversations", { signal: leaving.signal })
      .then((answer) => answer.json())
      .then((found: { items: readonly Conversation[] }) => setItems(found.items))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setFailure(wordsOf(error, text));
      });
    return () => leaving.abort();
  }, [visit, text]);
  const note = failure || (items?.length === 0 ? text.noHistory : "");
  const now = Date.now() / 1000;
  return (
    <SideSheet isOpen onClose={onClose} title={text.history}>
      {note && (
        <p role={failure ? "alert" : undefined} className={styles.note}>
          {note}
        </p>
      )}
      <ul className={styles.list}>
        {items?.map(({ id, name, updated_at }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current ? "true" : undefined}
              className={styles.one}
              onClick={() => onChoose(id)}
            >
              <span className={styles.name}>{name || text.untitled}</span>
              <span className={styles.time}>
                {id === current ? text.current : formatRelative(updated_at, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </SideSheet>
  );
}
