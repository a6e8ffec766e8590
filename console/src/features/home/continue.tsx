import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { AdminEntry } from "../../api/schema";
import { placeOf } from "../../directory/place";
import { EntrySign } from "../../directory/sign";
import { directoryText } from "../../directory/text";
import { useText } from "../../text/catalogue";
import { Skeleton } from "../../ui/skeleton/skeleton";
import { useLate } from "../../ui/skeleton/use-late";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { NameCell } from "../../ui/table/name-cell";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import styles from "./home.module.css";
import { homeText } from "./text";

const PUBLISHED: ReadonlySet<string> = new Set(["agent", "workflow", "plugin"]);
const BONES = ["a", "b", "c", "d"];

type Props = { workspaceId: string; entries: readonly AdminEntry[] | undefined };

/** What the person opened last. */
export function Continue({ workspaceId, entries }: Props) {
  const text = useText(homeText);
  const { types } = useText(directoryText);
  const id = useId();
  const { isLate } = useLate(!entries);
  return (
    <section aria-labelledby={id} className={styles.column}>
      <h2 id={id} className={styles.head}>
        {text.continue}
      </h2>
      {entries?.length === 0 && <p className={styles.none}>{text.nothingOpened}</p>}
      <div className={styles.rows}>
        {!entries &&
          isLate &&
          BONES.map((bone) => (
            <div key={bone} className={styles.row}>
              <Skeleton width="60%" />
            </div>
          ))}
        {entries?.map((entry) => (
          <Link
            key={`${entry.type} ${entry.id}`}
            {...placeOf(workspaceId, entry)}
            className={styles.row}
          >
            <NameCell
              tile={<Tile name={entry.name} icon={<EntrySign type={entry.type} />} />}
              name={entry.name}
              note={[types[entry.type], entry.description].filter(Boolean).join(" · ")}
            />
            <span className={styles.state}>
              {PUBLISHED.has(entry.type) && (
                <ReleaseBadge
                  isPublished={entry.version !== ""}
                  isChanged={entry.has_unpublished_changes}
                  version={entry.version}
                />
              )}
            </span>
            <span className={styles.when}>
              <Ago at={entry.at} />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}
