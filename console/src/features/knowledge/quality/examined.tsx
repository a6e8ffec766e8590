import { Link } from "@tanstack/react-router";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import styles from "./examined.module.css";
import { FLAWS, figureOf } from "./figure";
import { type ExaminedSlice, type Health, useExamined } from "./queries";
import { qualityText } from "./text";

type Props = { workspaceId: string; baseId: string; health: Health; of: string };

/** The slices behind a figure, each of them a way into its document. */
export function Examined({ workspaceId, baseId, health, of }: Props) {
  const text = useText(qualityText);
  const { rows, total, isPending, failure, retry, hasMore, loadMore } = useExamined(baseId, of);
  const { title, why } = useTitle(health, of);
  if (failure) return <ErrorState failure={failure} onRetry={retry} />;
  if (isPending) return null;
  if (rows.length === 0) return <EmptyState title={text.gone} />;
  return (
    <div className={styles.examined}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <span className={styles.note}>{text.slices(total)}</span>
        {why && <p className={styles.why}>{why}</p>}
      </header>
      <ol className={styles.list}>
        {rows.map((slice) => (
          <li key={slice.id}>
            <SliceEntry workspaceId={workspaceId} baseId={baseId} slice={slice} />
          </li>
        ))}
      </ol>
      {hasMore && (
        <div>
          <Button onClick={loadMore}>{text.more}</Button>
        </div>
      )}
    </div>
  );
}

type EntryProps = { workspaceId: string; baseId: string; slice: ExaminedSlice };

function SliceEntry({ workspaceId, baseId, slice }: EntryProps) {
  const text = useText(qualityText);
  const excerpt = slice.excerpt.trim();
  return (
    <article className={styles.slice}>
      <header className={styles.facts}>
        <Link
          to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
          params={{ workspaceId, baseId, documentId: slice.document_id }}
          search={{ slice: slice.id }}
          className={styles.document}
        >
          {slice.document_name}
        </Link>
        <span className={styles.note}>
          {[
            text.chars(slice.char_count),
            text.hits(slice.hit_count),
            slice.copies > 1 && text.copies(slice.copies),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </header>
      <p className={excerpt ? styles.text : styles.blank}>{excerpt || text.blank}</p>
    </article>
  );
}

/** How a figure is called, and what it means where that is not plain. */
function useTitle(health: Health, of: string): { title: string; why?: string } {
  const text = useText(qualityText);
  const { script, at_least, below } = figureOf(of);
  const scripts: Readonly<Record<string, string>> = text.scripts;
  if (script !== undefined) return { title: scripts[script] ?? script };
  if (at_least !== undefined)
    return { title: text.between(Number(at_least), below ? Number(below) : undefined) };
  const flaw = FLAWS.find((each) => each === of);
  if (!flaw) return { title: of };
  return {
    title: text.flaw[flaw],
    why: text.why[flaw](flaw === "empty" ? health.shortest : health.longest),
  };
}
