import { getRouteApi, Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { ListBody } from "../../../ui/list/list-body";
import { MenuLink } from "../../../ui/menu/menu";
import { useSelection } from "../../../ui/table/selection";
import type { Base } from "../queries";
import { BulkBar } from "./bulk-bar";
import { useColumns } from "./columns";
import type { Asked } from "./document-dialogs";
import { DocumentFilters } from "./document-filters";
import { DocumentMenu } from "./document-menu";
import { NoDocuments } from "./no-documents";
import { type Document, type Progress, useDocuments } from "./queries";
import { baseText } from "./text";

const DocumentDialogs = lazy(() => import("./document-dialogs"));
const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");

type Props = {
  workspaceId: string;
  base: Base;
  canWrite: boolean;
  progress: ReadonlyMap<string, Progress>;
  /** The other ways to look at them. */
  views?: ReactNode;
};

/** The documents of a base, followed while they are read. */
export function Documents({ workspaceId, base, canWrite, progress, views }: Props) {
  const { documents: text } = useText(baseText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const list = useDocuments(base.id, { ...search, q: useRested(search.q) });
  const columns = useColumns(workspaceId, base, progress);
  const selection = useSelection(list.rows.map((document) => document.id));
  const [asked, setAsked] = useState<Asked>();
  const chosen = list.rows.filter((document) => selection.chosen.has(document.id));
  function onKey(key: string, document: Document): void {
    if (key === "Enter")
      void navigate({
        to: "/w/$workspaceId/knowledge/$baseId/documents/$documentId",
        params: { workspaceId, baseId: base.id, documentId: document.id },
      });
    if (!canWrite) return;
    if (key === "e") setAsked({ kind: "rename", document });
    if (key === "Delete")
      setAsked({ kind: "delete", documents: chosen.length ? chosen : [document] });
  }
  return (
    <>
      <ListBody
        title={text.title}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) =>
            void navigate({ search: (old) => ({ ...old, q: value || undefined }), replace: true }),
        }}
        filters={<DocumentFilters kind={base.format_type} />}
        views={views}
        isNarrowed={Boolean(search.q ?? search.state ?? search.type ?? search.source ?? search.tag)}
        onClearFilters={() => void navigate({ search: (old) => ({ view: old.view }) })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={<NoDocuments workspaceId={workspaceId} baseId={base.id} canWrite={canWrite} />}
        list={list}
        columns={columns}
        keyOf={(document) => document.id}
        nameOf={(document) => document.name}
        menu={(document) => (
          <DocumentMenu document={document} canWrite={canWrite} onAsk={setAsked}>
            <MenuLink
              icon={<FileText size={16} />}
              link={
                <Link
                  to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
                  params={{ workspaceId, baseId: base.id, documentId: document.id }}
                />
              }
            >
              {text.open}
            </MenuLink>
          </DocumentMenu>
        )}
        selection={canWrite ? selection : undefined}
        bulk={
          <BulkBar baseId={base.id} documents={chosen} onClear={selection.clear} onAsk={setAsked} />
        }
        onKey={onKey}
      />
      <Suspense>
        {asked && (
          <DocumentDialogs
            baseId={base.id}
            asked={asked}
            onClose={() => setAsked(undefined)}
            onDone={selection.clear}
          />
        )}
      </Suspense>
    </>
  );
}
