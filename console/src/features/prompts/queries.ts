import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminLibraryPrompt, AdminTaggedPromptList } from "../../api/schema";

export type Prompt = AdminLibraryPrompt;
export type PromptBody = {
  name: string;
  description: string;
  prompt_text: string;
  tags: string[];
};

const LIST = "admin.prompts.list";

/** Models that a prompt can be tried with. */
export const modelsQuery = queryOptions({
  queryKey: ["admin.models.list", "prompts"],
  queryFn: ({ signal }) =>
    unwrap(client.GET("/admin/v1/models", { params: { query: { type: "llm" } }, signal })),
});

export function usePrompts(workspaceId: string, q: string | undefined, tag: string | undefined) {
  return useList<Prompt, AdminTaggedPromptList>({
    key: [LIST, workspaceId, q, tag],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/prompts", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(tag && { tag }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

export function promptQuery(workspaceId: string, promptId: string) {
  return queryOptions({
    queryKey: ["admin.prompts.get", promptId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/prompts/{prompt_id}", {
          params: { path: { workspace_id: workspaceId, prompt_id: promptId } },
          signal,
        }),
      ),
    // What is written in a dialog begins with what is there now.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Drafts that have the text of a prompt. */
export function useUses(prompt: Prompt) {
  return useQuery({
    queryKey: ["admin.prompts.list_references", prompt.id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/prompts/{prompt_id}/references", {
          params: { path: { workspace_id: prompt.workspace_id ?? "", prompt_id: prompt.id } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** Makes a prompt, or changes the one that is named. */
export function useSavePrompt(workspaceId: string, prompt: Prompt | undefined) {
  const refresh = useRefreshPrompts();
  return useMutation({
    mutationFn: (body: PromptBody) =>
      prompt
        ? unwrap(
            client.PATCH("/admin/v1/workspaces/{workspace_id}/prompts/{prompt_id}", {
              params: { path: { workspace_id: workspaceId, prompt_id: prompt.id } },
              body,
            }),
          )
        : createPrompt(workspaceId, body),
    onSuccess: refresh,
  });
}

/** Makes a prompt; one that was deleted comes back so, for nothing refers to its id. */
export function createPrompt(workspaceId: string, body: PromptBody): Promise<Prompt> {
  const { name, description, prompt_text, tags } = body;
  return unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/prompts", {
      params: { path: { workspace_id: workspaceId } },
      body: { name, description, prompt_text, tags },
    }),
  );
}

export function useRefreshPrompts(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [LIST] });
}

export function deletePrompt(workspaceId: string, prompt: Prompt): Promise<void> {
  return done(
    client.DELETE("/admin/v1/workspaces/{workspace_id}/prompts/{prompt_id}", {
      params: { path: { workspace_id: workspaceId, prompt_id: prompt.id } },
    }),
  );
}

export function useDeletePrompt(workspaceId: string) {
  const refresh = useRefreshPrompts();
  return useMutation({
    mutationFn: (prompt: Prompt) => deletePrompt(workspaceId, prompt),
    onSuccess: refresh,
  });
}
