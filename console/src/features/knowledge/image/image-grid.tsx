import { getRouteApi } from "@tanstack/react-router";
import { TextCursorInput } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { FilterChip } from "../../../ui/chip/filter-chip";
import { ListBody } from "../../../ui/list/list-body";
import { MenuItem } from "../../../ui/menu/menu";
import type { Asked } from "../base/document-dialogs";
import { DocumentMenu } from "../base/document-menu";
import { NoDocuments } from "../base/no-documents";
import type { Progress } from "../base/queries";
import { baseText } from "../base/text";
import type { Base } from "../queries";
import { ImageCard } from "./image-card";
import { ImageViews } from "./image-views";
import { type Image, useImages } from "./queries";
import { imageText } from "./text";

const CaptionDialog = lazy(() => import("./caption-dialog"));
const DocumentDialogs = lazy(() => import("../base/document-dialogs"));
const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");

type Props = {
  workspaceId: string;
  base: Base;
  canWrite: boolean;
  progress: ReadonlyMap<string, Progress>;
};

/** The pictures of a base with what they are found by. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImageGrid({ workspaceId, base, canWrite, progress }: Props) {
  const text = useText(imageText);
  const { documents: words } = useText(baseText);
  const { q, caption } = page.useSearch();
  const navigate = page.useNavigate();
  const list = useImages(base.id, { q: useRested(q), caption });
  const [asked, setAsked] = useState<Asked>();
  const [written, setWritten] = useState<Image>();
  return (
    <>
      <ListBody
        title={text.title}
        search={{
          label: text.search,
          value: q ?? "",
          onChange: (value) =>
            void navigate({ search: (old) => ({ ...old, q: value || undefined }), replace: true }),
        }}
        filters={
          <FilterChip
            label={text.captioned.label}
            value={caption}
            options={[
              { value: "with", label: text.captioned.with },
              { value: "without", label: text.captioned.without },
            ]}
            onChange={(next) =>
              void navigate({ search: (old) => ({ ...old, caption: next }), replace: true })
            }
          />
        }
        views={<ImageViews />}
        isNarrowed={Boolean(q ?? caption)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: words.clearFilters }}
        empty={<NoDocuments workspaceId={workspaceId} baseId={base.id} canWrite={canWrite} />}
        list={list}
        columns={[]}
        keyOf={(image) => image.document.id}
        card={(image) => (
          <ImageCard
            workspaceId={workspaceId}
            image={image}
            progress={progress.get(image.document.id)}
            menu={
              <DocumentMenu document={image.document} canWrite={canWrite} onAsk={setAsked}>
                {canWrite && (
                  <MenuItem icon={<TextCursorInput size={16} />} onSelect={() => setWritten(image)}>
                    {text.edit}
                  </MenuItem>
                )}
              </DocumentMenu>
            }
          />
        )}
      />
      <Suspense>
        {written && <CaptionDialog image={written} onClose={() => setWritten(undefined)} />}
        {asked && (
          <DocumentDialogs
            baseId={base.id}
            asked={asked}
            onClose={() => setAsked(undefined)}
            onDone={() => undefined}
          />
        )}
      </Suspense>
    </>
  );
}
