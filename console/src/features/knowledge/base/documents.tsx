import { getRouteApi, Link } from "@tanstack/react-router";
import { FileText, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useRested } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ListBody } from "../../../ui/list/list-body";
import { MenuLink } from "../../../ui/menu/menu";
import { useSelection } from "../../../ui/table/selection";
import type { Base } from "../queries";
import { BulkBar } from "./bulk-bar";
import { useColumns } from "./columns";
import type { Asked } from "./document-dialogs";
import { DocumentFilters } from "./document-filters";
import { DocumentMenu } from "./document-menu";
import { type Document, type Progress, useDocuments } from "./queries";
import { baseText } from "./text";

const DocumentDialogs = lazy(() => import("./document-dialogs"));
const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");

type Props = {
  workspaceId: string;
  base: Base;
  canWrite: boolean;
  progress: ReadonlyMap<string, Progress>;
};

/** The documents of a base, followed while they are read. */
export function Documents({ workspaceId, base, canWrite, progress }: Props) {
  const { documents: text, importInto } = useText(baseText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const list = useDocuments(base.id, { ...search, q: useRested(search.q) });
  const columns = useColumns(workspaceId, base.id, progress);
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
        filters={<DocumentFilters />}
        isNarrowed={Boolean(search.q ?? search.state ?? search.type ?? search.source ?? search.tag)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<FileText size={40} strokeWidth={1} />}
            action={
              canWrite && (
                <Button
                  kind="primary"
                  icon={<Upload size={16} />}
                  onClick={() =>
                    void navigate({
                      to: "/w/$workspaceId/knowledge/$baseId/import",
                      params: { workspaceId, baseId: base.id },
                    })
                  }
                >
                  {importInto}
                </Button>
              )
            }
          >
            {text.emptyWhy}
          </EmptyState>
        }
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
