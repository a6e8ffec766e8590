import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Page } from "../../../ui/page/page";
import { DocumentState } from "../base/document-state";
import { baseQuery, type Document } from "../base/queries";
import { DocumentActions } from "./document-actions";
import { DocumentPanes } from "./document-panes";
import styles from "./document-screen.module.css";
import { documentQuery, WORKING_MS } from "./queries";
import { documentText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId/documents/$documentId");
const ImagePane = lazy(() => import("../image/image-pane"));
const RowsPane = lazy(() => import("./rows-pane"));
const AT_REST = new Set([1, 2, 9]);
const TABLE = 1;
const IMAGE = 2;

/** A document: what was made of it, slice by slice. */
export function DocumentScreen() {
  const text = useText(documentText);
  const { workspaceId, baseId, documentId } = page.useParams();
  const canWrite = may(useWorkspace(workspaceId), "dataset.write");
  const { data: base } = useQuery(baseQuery(baseId));
  const found = useQuery({
    ...documentQuery(documentId),
    refetchInterval: ({ state }) =>
      state.data && !AT_REST.has(state.data.status) ? WORKING_MS : false,
  });
  const document = found.data;
  const failure = document ? undefined : failureOf(found.error);
  return (
    <Page
      title={document?.name ?? ""}
      context={base?.name ?? ""}
      path={
        <>
          <Link to="/w/$workspaceId/knowledge" params={{ workspaceId }}>
            {text.knowledge}
          </Link>
          {base && (
            <Link to="/w/$workspaceId/knowledge/$baseId" params={{ workspaceId, baseId }}>
              {base.name}
            </Link>
          )}
        </>
      }
      state={
        document && (
          <span className={styles.state}>
            {countOf(document, text)}
            <DocumentState document={document} progress={undefined} />
          </span>
        )
      }
      actions={document && <DocumentActions document={document} canWrite={canWrite} />}
    >
      {failure && <ErrorState failure={failure} onRetry={() => void found.refetch()} />}
      {document && (
        <Suspense>
          <DocumentBody key={documentId} document={document} canWrite={canWrite} />
        </Suspense>
      )}
    </Page>
  );
}

type BodyProps = { document: Document; canWrite: boolean };

function DocumentBody(props: BodyProps) {
  switch (props.document.format_type) {
    case TABLE:
      return <RowsPane {...props} />;
    case IMAGE:
      return <ImagePane {...props} />;
    default:
      return <DocumentPanes {...props} />;
  }
}

type CountWords = { count: (count: number) => string; rowCount: (count: number) => string };

/** How much was made of a document; a picture is one. */
function countOf({ format_type, slice_count }: Document, words: CountWords): string {
  if (format_type === IMAGE) return "";
  return format_type === TABLE ? words.rowCount(slice_count) : words.count(slice_count);
}
