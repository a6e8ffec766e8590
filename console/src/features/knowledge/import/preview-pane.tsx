import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import type { Failure } from "../../../ui/error-state/failure";
import { useTold } from "../../../ui/error-state/reasons";
import { BesideOriginal } from "../document/beside-original";
import { PagePane } from "../document/page-pane";
import { ChunkList } from "./chunk-list";
import styles from "./preview-pane.module.css";
import { type Preview, previewPagesQuery } from "./queries";
import type { Source } from "./rules";
import { importText } from "./text";
import { Waiting } from "./waiting";

const READY = 1;
const FAILED = 2;
/** Settings, pages and slices do not fit beside each other. */
const NARROW = matchMedia("(width < 1180px)");

type Props = {
  isText: boolean;
  source: Source | undefined;
  preview: Preview | undefined;
  failure: Failure | undefined;
  isEdited: boolean;
  onEdited: (previewId: string) => void;
};

/** The slices that a source would become, to be looked at and put right. */
export function PreviewPane({ isText, source, ...rest }: Props) {
  const { slices: text } = useText(importText);
  if (!isText) return <p className={styles.note}>{text.noPreview}</p>;
  if (!source) return <p className={styles.note}>{text.none}</p>;
  return <SourcePreview key={source.id} name={source.name} {...rest} />;
}

type SourceProps = Omit<Props, "isText" | "source"> & { name: string };

function SourcePreview({ name, preview, failure, isEdited, onEdited }: SourceProps) {
  const [chosenId, setChosenId] = useState<string>();
  const [isJudged, setJudged] = useState(false);
  const [pagesOf, setPagesOf] = useState<string>();
  const ready = preview?.status === READY ? preview : undefined;
  // The pages stay the same however they are cut: they are drawn for the first preview alone.
  if (ready && !pagesOf) setPagesOf(ready.id);
  const { data } = useQuery(previewPagesQuery(pagesOf));
  const pages = data?.pages ?? [];
  const hasPages = pagesOf !== undefined && pages.length > 0;
  const placed = useMemo(
    () => ready?.chunks.map(({ id, boxes }) => ({ id: String(id), boxes })) ?? [],
    [ready],
  );
  const slices = ready ? (
    <ChunkList
      key={ready.id}
      name={name}
      preview={ready}
      isEdited={isEdited}
      onEdited={onEdited}
      chosenId={chosenId}
      onChoose={hasPages ? setChosenId : undefined}
    />
  ) : (
    <NotReady preview={preview} failure={failure} />
  );
  if (!hasPages) return slices;
  return (
    <BesideOriginal
      narrow={NARROW}
      original={
        <PagePane
          owner={{ kind: "preview", id: pagesOf }}
          pages={pages}
          slices={placed}
          found={ready && placed}
          isJudged={isJudged}
          onJudge={setJudged}
          areBounded
          chosenId={chosenId}
          onChoose={({ id }) => setChosenId(id)}
        />
      }
      slices={slices}
    />
  );
}

type NotReadyProps = { preview: Preview | undefined; failure: Failure | undefined };

function NotReady({ preview, failure }: NotReadyProps) {
  const told = useTold();
  if (failure) return <ErrorState failure={failure} />;
  if (preview?.status === FAILED)
    return (
      <ErrorState
        failure={{ message: told(preview.fail_code, preview.fail_reason), status: 400 }}
      />
    );
  return <Waiting />;
}
