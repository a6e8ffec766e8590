import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import type { AdminShortcut, ShortcutFields } from "../../api/schema";

export type Shortcut = AdminShortcut;
export type Component = AdminShortcut["components"][number];
export type Tool = NonNullable<AdminShortcut["tool"]>;
export type Parameter = NonNullable<Tool["params"]>[number];

const LIST = "admin.shortcuts.list";

export function useShortcuts(agentId: string) {
  return useQuery({
    queryKey: [LIST, agentId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/shortcuts", {
          params: { path: { agent_id: agentId } },
          signal,
        }),
      ),
  }).data?.items;
}

/** How the shortcuts of a draft are changed; each change is one of the draft. */
export function useShortcutChanges(agentId: string, onChanged: () => Promise<void>) {
  const queries = useQueryClient();
  const path = { agent_id: agentId };
  const onSuccess = () =>
    Promise.all([queries.invalidateQueries({ queryKey: [LIST, agentId] }), onChanged()]);
  const save = useMutation({
    mutationFn: ({ id, ...body }: ShortcutFields & { id: string | undefined }) =>
      unwrap(
        id
          ? client.PATCH("/admin/v1/agents/{agent_id}/shortcuts/{shortcut_id}", {
              params: { path: { ...path, shortcut_id: id } },
              body,
            })
          : client.POST("/admin/v1/agents/{agent_id}/shortcuts", { params: { path }, body }),
      ),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Shortcut) =>
      done(
        client.DELETE("/admin/v1/agents/{agent_id}/shortcuts/{shortcut_id}", {
          params: { path: { ...path, shortcut_id: id } },
        }),
      ),
    onSuccess,
  });
  const reorder = useMutation({
    mutationFn: (shortcut_ids: string[]) =>
      unwrap(
        client.PUT("/admin/v1/agents/{agent_id}/shortcuts/order", {
          params: { path },
          body: { shortcut_ids },
        }),
      ),
    onSuccess,
  });
  return { save, remove, reorder };
}
