import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Splitter } from "../../../ui/splitter/splitter";
import { Tabs } from "../../../ui/tabs/tabs";
import type { Document } from "../base/queries";
import styles from "./document-panes.module.css";
import { PagePane } from "./page-pane";
import { pagesQuery, type Slice, useFollowSlices, useSlices } from "./queries";
import { ReadingPane } from "./reading-pane";
import { SlicePane } from "./slice-pane";
import { documentText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId/documents/$documentId");
const HALVES = [50, 50] as const;
const LEAST = 25;
const NARROW = matchMedia("(width < 860px)");

function onWidth(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

type Props = { document: Document; canWrite: boolean };

/** The original of a text at the left, the slices that were made of it at the right. */
export function DocumentPanes({ document, canWrite }: Props) {
  const text = useText(documentText);
  const { slice: chosenId } = page.useSearch();
  const navigate = page.useNavigate();
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState<"slices" | "original">("slices");
  const isNarrow = useSyncExternalStore(onWidth, () => NARROW.matches);
  const [shares, setShares] = useState<readonly number[]>(HALVES);
  const list = useSlices(document.id, document.status, useRested(typed) || undefined);
  useFollowSlices(document.id, list.rows);
  const isReady = document.slice_count > 0;
  const { data: pages } = useQuery(pagesQuery(document.id, document.status, isReady));
  const choose = (slice: Slice) =>
    void navigate({ search: (old) => ({ ...old, slice: slice.id }), replace: true });
  const slices = (
    <SlicePane
      document={document}
      canWrite={canWrite}
      list={list}
      typed={typed}
      onType={setTyped}
      chosenId={chosenId}
      onChoose={choose}
    />
  );
  if (!isReady || !pages) return slices;
  const original =
    pages.pages.length > 0 ? (
      <PagePane
        document={document}
        generation={pages.generation}
        pages={pages.pages}
        slices={list.rows}
        chosenId={chosenId}
        onChoose={choose}
      />
    ) : (
      <ReadingPane document={document} slices={list.rows} chosenId={chosenId} onChoose={choose} />
    );
  if (isNarrow)
    return (
      <Tabs
        label={text.parts}
        value={shown}
        isFilling
        isOfPage
        tabs={[
          { value: "slices", label: text.slices },
          { value: "original", label: text.original },
        ]}
        onChange={setShown}
      >
        {shown === "slices" ? slices : original}
      </Tabs>
    );
  return (
    <div className={styles.panes}>
      <Splitter
        panes={[
          {
            key: "original",
            label: text.original,
            share: shares[0] ?? 0,
            least: LEAST,
            content: original,
          },
          {
            key: "slices",
            label: text.slices,
            share: shares[1] ?? 0,
            least: LEAST,
            content: slices,
          },
        ]}
        onChange={setShares}
        onReset={() => setShares(HALVES)}
      />
    </div>
  );
}
