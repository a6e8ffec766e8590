import { useNavigate } from "@tanstack/react-router";
import { Upload } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { baseText } from "./text";

type Props = { workspaceId: string; baseId: string };

/** Leads to what fills a base. */
export function ImportButton({ workspaceId, baseId }: Props) {
  const { importInto } = useText(baseText);
  const navigate = useNavigate();
  return (
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
  );
}
