import { useNavigate } from "@tanstack/react-router";
import { FileText, Upload } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { baseText } from "./text";

type Props = { workspaceId: string; baseId: string; canWrite: boolean };

/** A base that holds nothing yet, and the way to what fills it. */
export function NoDocuments({ workspaceId, baseId, canWrite }: Props) {
  const { documents: text, importInto } = useText(baseText);
  const navigate = useNavigate();
  return (
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
                params: { workspaceId, baseId },
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
  );
}
