import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useRested } from "../../../api/list";
import type { Document } from "../base/queries";
import { BesideOriginal } from "./beside-original";
import type { Placed } from "./boxes";
import { PagePane } from "./page-pane";
import { pagesQuery, useFollowSlices, useSlices } from "./queries";
import { ReadingPane } from "./reading-pane";
import { SlicePane } from "./slice-pane";
import { useFoundSlices } from "./use-found-slices";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId/documents/$documentId");
const NARROW = matchMedia("(width < 860px)");

type Props = { document: Document; canWrite: boolean };

/** The original of a text at the left, the slices that were made of it at the right. */
export function DocumentPanes({ document, canWrite }: Props) {
  const { slice: chosenId } = page.useSearch();
  const navigate = page.useNavigate();
  const [typed, setTyped] = useState("");
  const [isJudged, setJudged] = useState(false);
  const found = useFoundSlices(document, isJudged);
  const list = useSlices(document.id, document.status, useRested(typed) || undefined);
  useFollowSlices(document.id, list.rows);
  const isReady = document.slice_count > 0;
  const { data: pages } = useQuery(pagesQuery(document.id, document.status, isReady));
  const choose = (slice: Placed) =>
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
        owner={{ kind: "document", id: document.id, generation: pages.generation }}
        pages={pages.pages}
        slices={list.rows}
        found={found}
        isJudged={isJudged}
        onJudge={setJudged}
        chosenId={chosenId}
        onChoose={choose}
      />
    ) : (
      <ReadingPane document={document} slices={list.rows} chosenId={chosenId} onChoose={choose} />
    );
  return <BesideOriginal original={original} slices={slices} narrow={NARROW} isOfPage />;
}
