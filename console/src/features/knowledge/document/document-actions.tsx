import { getRouteApi } from "@tanstack/react-router";
import { Globe, Info } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { MenuLink } from "../../../ui/menu/menu";
import type { Asked } from "../base/document-dialogs";
import { DocumentMenu } from "../base/document-menu";
import type { Document } from "../base/queries";
import { isWebPage } from "./facts";
import { documentText } from "./text";

const DocumentDialogs = lazy(() => import("../base/document-dialogs"));
const DocumentFacts = lazy(() => import("./document-facts"));
const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId/documents/$documentId");

/** What is known of a document, and what can be done with it. */
export function DocumentActions({ document, canWrite }: { document: Document; canWrite: boolean }) {
  const text = useText(documentText);
  const { workspaceId, baseId } = page.useParams();
  const navigate = page.useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const [isInformed, setInformed] = useState(false);
  const leave = () =>
    void navigate({ to: "/w/$workspaceId/knowledge/$baseId", params: { workspaceId, baseId } });
  return (
    <>
      <Button icon={<Info size={16} />} onClick={() => setInformed(!isInformed)}>
        {text.details}
      </Button>
      <DocumentMenu document={document} canWrite={canWrite} size="normal" onAsk={setAsked}>
        <WebPage document={document} />
      </DocumentMenu>
      <Suspense>
        {isInformed && <DocumentFacts document={document} onClose={() => setInformed(false)} />}
        {asked && (
          <DocumentDialogs
            baseId={baseId}
            asked={asked}
            onClose={() => setAsked(undefined)}
            onDone={() => asked.kind === "delete" && leave()}
          />
        )}
      </Suspense>
    </>
  );
}

/** The way to the page that a document was read from. */
function WebPage({ document }: { document: Document }) {
  const text = useText(documentText);
  if (!isWebPage(document)) return null;
  return (
    <MenuLink
      icon={<Globe size={16} />}
      link={<a href={document.url} target="_blank" rel="noopener noreferrer nofollow" />}
    >
      {text.openPage}
    </MenuLink>
  );
}
