import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client, unwrap } from "../api/client";
import { failureOf } from "../api/list";
import { SESSION_KEY } from "../session/session";
import { useText } from "../text/catalogue";
import { NameDialog, type Named } from "../ui/form/name-dialog";
import { shellText } from "./text";

/** A workspace for a team, with its first member. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewWorkspace({ onClose }: { onClose: () => void }) {
  const text = useText(shellText);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Named) => unwrap(client.POST("/admin/v1/workspaces", { body })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: SESSION_KEY });
      onClose();
      void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } });
    },
  });
  return (
    <NameDialog
      title={text.newWorkspace}
      verb={text.createWorkspace}
      labels={{ name: text.workspaceName, description: text.workspacePurpose }}
      isPending={isPending}
      failure={failureOf(error)}
      onSubmit={(named) => mutate(named)}
      onClose={onClose}
    />
  );
}
