import { Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useReading } from "../../agent/teach";
import { LessonProgress, UnreadFiles } from "../../agent/teaching";
import { useText } from "../../text/catalogue";
import { Created } from "./created";
import styles from "./new-dialog.module.css";
import { agentsText } from "./text";

type Props = {
  workspaceId: string;
  agent: { readonly name: string };
  baseId: string;
  /** How many files it was given. */
  count: number;
  onOpen: () => void;
  onClose: () => void;
};

/** The agent is there and its files are read: it opens once they are, or sooner where one asks. */
export function Taught({ workspaceId, agent, baseId, count, onOpen, onClose }: Props) {
  const { creation: text } = useText(agentsText);
  const read = useReading(baseId);
  const isRead = read?.isOver && read.failed.length === 0;
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (isRead) open();
  }, [isRead]);
  return (
    <Created agent={agent} onOpen={onOpen} onClose={onClose}>
      <div className={styles.form}>
        {(isRead || !read?.isOver) && <LessonProgress sent={1} read={read} count={count} />}
        {!read?.isOver && <p className={styles.note}>{text.readsOn}</p>}
        <UnreadFiles failed={read?.failed ?? []} />
        {read && read.failed.length > 0 && (
          <p className={styles.note}>
            {text.otherForm}{" "}
            <Link
              to="/w/$workspaceId/knowledge/$baseId"
              params={{ workspaceId, baseId }}
              className={styles.link}
            >
              {text.openBase}
            </Link>
          </p>
        )}
      </div>
    </Created>
  );
}
