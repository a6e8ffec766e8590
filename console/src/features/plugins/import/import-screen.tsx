import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { McpForm } from "../../../plugin/mcp-form";
import { useReview } from "../../../plugin/queries";
import { SourceForm } from "../../../plugin/source-form";
import { pluginImportText } from "../../../plugin/text";
import { useText } from "../../../text/catalogue";
import { Page, PageBody } from "../../../ui/page/page";
import { Segmented } from "../../../ui/segmented/segmented";
import styles from "./import-screen.module.css";
import { ReviewScreen } from "./review-screen";

const page = getRouteApi("/shell/w/$workspaceId/plugins/import");
const KINDS = ["document", "address", "mcp"] as const;

/** Where the tools of a new plugin come from; they are looked at before anything is stored. */
export function ImportScreen() {
  const text = useText(pluginImportText);
  const { workspaceId } = page.useParams();
  const { kind: wanted } = page.useSearch();
  const navigate = page.useNavigate();
  const kind = KINDS.find((each) => each === wanted) ?? "document";
  const [words, setWords] = useState({ document: "", address: "" });
  const review = useReview(workspaceId);
  const path = (
    <Link to="/w/$workspaceId/plugins" params={{ workspaceId }}>
      {text.plugins}
    </Link>
  );
  function open(pluginId: string): void {
    void navigate({ to: "/w/$workspaceId/plugins/$pluginId", params: { workspaceId, pluginId } });
  }
  if (review.data) {
    return (
      <ReviewScreen
        workspaceId={workspaceId}
        path={path}
        review={review.data}
        onBack={review.reset}
        onMade={open}
      />
    );
  }
  return (
    <Page title={text.title} path={path} context={text.plugins}>
      <PageBody>
        <div className={styles.column}>
          <Segmented
            label={text.from}
            value={kind}
            options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
            onChange={(value) =>
              void navigate({ search: value === "document" ? {} : { kind: value }, replace: true })
            }
          />
          {kind === "mcp" ? (
            <McpForm workspaceId={workspaceId} onMade={open} />
          ) : (
            <SourceForm
              key={kind}
              kind={kind}
              value={words[kind]}
              onChange={(value) => setWords({ ...words, [kind]: value })}
              isPending={review.isPending}
              failure={failureOf(review.error)}
              onReview={(value) => review.mutate({ kind, text: value })}
            />
          )}
        </div>
      </PageBody>
    </Page>
  );
}
