import { loadAgent } from "../../api/agent";
import { client, unwrap } from "../../api/client";
import { type Left, leftBy, NEW, newIn } from "../../session/recovery";

/** Changes that no server has, with what is known of the thing that they are of. */
export type Unsaved = {
  readonly left: Left;
  /** Empty where it is new and has none. */
  readonly name: string;
  /** Whether somebody saved it since. */
  readonly isChangedSince: boolean;
};

type Facts = { workspace_id: string | null; name: string; updated_at: number | null };

/** What a person left unsaved of things of a workspace. */
export async function unsavedIn(userId: string, workspaceId: string): Promise<readonly Unsaved[]> {
  const all = await Promise.all((await leftBy(userId)).map((left) => unsavedOf(workspaceId, left)));
  return all.filter((each) => each !== undefined);
}

/** None where the thing is of another workspace, is gone, or cannot be asked for now. */
async function unsavedOf(workspaceId: string, left: Left): Promise<Unsaved | undefined> {
  const { place, kept } = left;
  if (place.id.startsWith(NEW)) {
    if (place.id !== newIn(workspaceId)) return undefined;
    return { left, name: nameIn(kept.changes), isChangedSince: false };
  }
  const facts = await factsOf(workspaceId, place).catch(() => undefined);
  if (facts?.workspace_id !== workspaceId) return undefined;
  const isChangedSince = (facts.updated_at ?? 0) * 1000 > kept.at;
  return { left, name: facts.name, isChangedSince };
}

function factsOf(workspaceId: string, { type, id }: Left["place"]): Promise<Facts> {
  switch (type) {
    case "agent":
      return loadAgent(id);
    case "workflow":
      return unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}", { params: { path: { workflow_id: id } } }),
      );
    case "prompt":
      return unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/prompts/{prompt_id}", {
          params: { path: { workspace_id: workspaceId, prompt_id: id } },
        }),
      );
  }
}

function nameIn(changes: unknown): string {
  const isNamed = typeof changes === "object" && changes !== null && "name" in changes;
  return isNamed && typeof changes.name === "string" ? changes.name : "";
}
