import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { loadAgent } from "../api/agent";
import { client, done, unwrap } from "../api/client";
import type { AdminDocument, AdminDocumentList, AdminFile } from "../api/schema";
import { upload } from "../api/upload";
import { AGENTS } from "./queries";

export type TaughtAgent = { id: string; name: string };

const FILE = 5;
/** As many documents as the server takes at once. */
const AT_ONCE = 10;

/** Who answers in a workspace: an agent that is there, or one that is made when it is needed. */
export type Host = {
  id: string | undefined;
  name: string;
  purpose?: string;
  persona: string;
};

export async function hostOf(workspaceId: string, host: Host, key: string): Promise<string> {
  if (host.id !== undefined) return host.id;
  const made = await unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/agents", {
      params: {
        path: { workspace_id: workspaceId },
        header: { "Idempotency-Key": `${key}-agent` },
      },
      body: { name: host.name, description: host.purpose ?? "", prompt: { text: host.persona } },
    }),
  );
  return made.id;
}

/** Files, and what the base is called that is made of them. */
type Lesson = { files: readonly File[]; base: string };
type Taught = Lesson & { host: Host };

/** What is there of a lesson: a further attempt goes on from it, and makes nothing twice. */
class Progress {
  readonly stored = new Map<File, AdminFile>();
  readonly taken = new Set<File>();
  baseId: string | undefined;
  agentId: string | undefined;
  private readonly keys = new Map<File, string>();
  private names = "";
  private key = "";

  /** The key of this attempt; the same as long as the same names are given. */
  keyFor({ files: _, ...named }: Lesson): string {
    const names = JSON.stringify(named);
    if (names !== this.names) this.key = crypto.randomUUID();
    this.names = names;
    return this.key;
  }

  keyOf(file: File): string {
    const key = this.keys.get(file) ?? crypto.randomUUID();
    this.keys.set(file, key);
    return key;
  }
}

/** Makes a base of files, which are read behind everything else, and gives it to an agent. */
export function useTeach(workspaceId: string) {
  return useLesson(workspaceId, async (lesson: Taught, baseId, made, key) => {
    made.agentId ??= await hostOf(workspaceId, lesson.host, key);
    const { id, name, revision, knowledge } = await loadAgent(made.agentId);
    const known = knowledge.datasets ?? [];
    if (!known.includes(baseId))
      await unwrap(
        client.PATCH("/admin/v1/agents/{agent_id}", {
          params: { path: { agent_id: id }, header: { "If-Match": String(revision) } },
          body: { knowledge: { datasets: [...known, baseId] } },
        }),
      );
    return { agent: { id, name }, baseId };
  });
}

/** The same for an agent whose draft somebody holds and changes. */
export function useMakeBase(workspaceId: string) {
  return useLesson(workspaceId, async (_: Lesson, baseId) => ({ baseId }));
}

/** Makes a base of files, then `end`. `sent` is the part of the files that has arrived, 0 to 1. */
function useLesson<L extends Lesson, R>(
  workspaceId: string,
  end: (lesson: L, baseId: string, progress: Progress, key: string) => Promise<R>,
) {
  const queries = useQueryClient();
  const progress = useRef<Progress>(undefined);
  const [sent, setSent] = useState(0);
  const teaching = useMutation({
    mutationFn: async (lesson: L) => {
      progress.current ??= new Progress();
      const made = progress.current;
      const key = made.keyFor(lesson);
      await store(workspaceId, lesson.files, made, setSent);
      made.baseId ??= await newBase(workspaceId, lesson.base, key);
      await take(made.baseId, lesson.files, made, key);
      return end(lesson, made.baseId, made, key);
    },
    onSettled: () =>
      Promise.all(
        ["admin.datasets.list", AGENTS].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
  return { ...teaching, sent };
}

async function store(
  workspaceId: string,
  files: readonly File[],
  progress: Progress,
  onSent: (part: number) => void,
): Promise<void> {
  const { stored } = progress;
  const sizes = new Map(files.map((file) => [file, stored.has(file) ? file.size : 0]));
  const all = Math.max(
    files.reduce((sum, { size }) => sum + size, 0),
    1,
  );
  await Promise.all(
    files.map(async (file) => {
      if (stored.has(file)) return;
      const kept = await upload(file, file.name, {
        workspaceId,
        key: progress.keyOf(file),
        signal: new AbortController().signal,
        onProgress: (bytes) => {
          sizes.set(file, Math.min(bytes, file.size));
          onSent([...sizes.values()].reduce((sum, each) => sum + each, 0) / all);
        },
      });
      stored.set(file, kept);
    }),
  );
  onSent(1);
}

async function newBase(workspaceId: string, name: string, key: string): Promise<string> {
  const made = await unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: {
        path: { workspace_id: workspaceId },
        header: { "Idempotency-Key": `${key}-base` },
      },
      body: { name, description: "", format_type: 0 },
    }),
  );
  return made.id;
}

async function take(
  baseId: string,
  files: readonly File[],
  { stored, taken }: Progress,
  key: string,
): Promise<void> {
  const left = files.filter((file) => !taken.has(file));
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const part = left.slice(from, from + AT_ONCE);
    const bodies = part.flatMap((file) => {
      const kept = stored.get(file);
      return kept
        ? [{ name: file.name, source_info: { source_file_id: kept.id, document_source: FILE } }]
        : [];
    });
    await done(
      client.POST("/admin/v1/datasets/{dataset_id}/documents", {
        params: {
          path: { dataset_id: baseId },
          header: {
            "Idempotency-Key": `${key}-documents-${bodies[0]?.source_info.source_file_id}`,
          },
        },
        body: { document_bases: bodies },
      }),
    );
    for (const file of part) taken.add(file);
  }
}

/** How far the documents of a base are. */
export type Read = {
  done: number;
  failed: readonly { name: string; code: number; reason: string }[];
  isOver: boolean;
};

/** Follows a base until each of its documents is read, or is known not to be readable. */
export function useReading(baseId: string | undefined): Read | undefined {
  const { data } = useQuery<AdminDocumentList>({
    queryKey: ["admin.documents.list", baseId, "first"],
    enabled: baseId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.every(isRead) ? false : LOOK_AGAIN_MS),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/documents", {
          params: { path: { dataset_id: baseId ?? "" }, query: { limit: "100" } },
          signal,
        }),
      ),
  });
  if (!data) return undefined;
  const over = data.items.filter(isRead);
  const failed = over.filter(({ fail_code }) => fail_code !== 0);
  return {
    done: over.length,
    failed: failed.map(({ name, fail_code, fail_reason }) => ({
      name,
      code: fail_code,
      reason: fail_reason,
    })),
    isOver: over.length === data.items.length,
  };
}

const LOOK_AGAIN_MS = 500;
const WAITING = -1;
const IN_WORK = 4;

function isRead({ status }: AdminDocument): boolean {
  return status !== WAITING && status !== IN_WORK;
}
