import { FileText } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ImportButton } from "./import-button";
import { baseText } from "./text";

type Props = { workspaceId: string; baseId: string; canWrite: boolean };

/** A base that holds nothing yet, and the way to what fills it. */
export function NoDocuments({ workspaceId, baseId, canWrite }: Props) {
  const { documents: text } = useText(baseText);
  return (
    <EmptyState
      title={text.empty}
      drawing={<FileText size={40} strokeWidth={1} />}
      action={canWrite && <ImportButton workspaceId={workspaceId} baseId={baseId} />}
    >
      {text.emptyWhy}
    </EmptyState>
  );
}
