import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Ago } from "../../ui/time/ago";
import panel from "../forms/panel.module.css";
import { DRAFT, useVersions } from "./queries";
import { compareText } from "./text";
import styles from "./versions-panel.module.css";

type Props = {
  workflowId: string;
  /** Which one the canvas shows. */
  shown: string;
  canRestore: boolean;
  restoring: string;
  onShow: (version: string) => void;
  onCompare: (version: string) => void;
  onRestore: (version: string) => void;
};

/** What was published of a workflow, newest first, below the draft. */
export function VersionsPanel(props: Props) {
  const { workflowId, shown, canRestore, restoring, onShow, onCompare, onRestore } = props;
  const text = useText(compareText);
  const query = useVersions(workflowId);
  const versions = query.data?.pages.flatMap((page) => page.items) ?? [];
  const failure = failureOf(query.error);
  return (
    <div className={panel.panel}>
      <header className={panel.head}>
        <h2 className={styles.title}>{text.title}</h2>
      </header>
      <div className={panel.body}>
        {failure && <ErrorLine failure={failure} />}
        <ol className={styles.list} aria-label={text.title}>
          <li className={styles.item} data-shown={shown === DRAFT || undefined}>
            <button
              type="button"
              className={styles.open}
              aria-current={shown === DRAFT || undefined}
              onClick={() => onShow(DRAFT)}
            >
              <span className={styles.label}>{text.draft}</span>
              <span className={styles.facts}>{text.draftWhy}</span>
            </button>
          </li>
          {versions.map(({ version, description, creator, created_at }) => (
            <li key={version} className={styles.item} data-shown={shown === version || undefined}>
              <button
                type="button"
                className={styles.open}
                aria-current={shown === version || undefined}
                aria-label={text.show(version)}
                onClick={() => onShow(version)}
              >
                <span className={styles.label}>{version}</span>
                {description && <span className={styles.note}>{description}</span>}
                <span className={styles.facts}>
                  {creator.name || text.somebody} · <Ago at={created_at} />
                </span>
              </button>
              <span className={styles.verbs}>
                <Button
                  size="compact"
                  kind="quiet"
                  aria-label={`${text.compare}: ${version}`}
                  onClick={() => onCompare(version)}
                >
                  {text.compareShort}
                </Button>
                {canRestore && (
                  <Button
                    size="compact"
                    kind="quiet"
                    aria-label={`${text.restore}: ${version}`}
                    isLoading={restoring === version}
                    onClick={() => onRestore(version)}
                  >
                    {text.restore}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ol>
        {query.isSuccess && versions.length === 0 && <p className={styles.none}>{text.none}</p>}
        {query.hasNextPage && (
          <div className={styles.none}>
            <Button
              size="compact"
              isLoading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {text.more}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
