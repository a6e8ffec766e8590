import { sent } from "../stream/sent";
import { ApiError, apiError, unreachable } from "./errors";
import type { AdminFile } from "./schema";
import { identity, mender } from "./transport";

const PATH = "/admin/v1/files";

type Options = {
  workspaceId: string;
  /** The same for every attempt: a file that did arrive is not stored twice. */
  key: string;
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
};

/** Stores one file. */
export async function upload(file: File, name: string, options: Options): Promise<AdminFile> {
  const isMended = mender(PATH);
  for (;;) {
    const outcome = await attempt(file, name, options);
    if (!(outcome instanceof ApiError)) return outcome;
    if (!(await isMended(outcome))) throw outcome;
  }
}

async function attempt(file: File, name: string, options: Options): Promise<AdminFile | ApiError> {
  const { workspaceId, key, ...way } = options;
  const body = new FormData();
  body.append("file", file, name);
  const answer = await sent(`${PATH}?space_id=${encodeURIComponent(workspaceId)}`, body, {
    headers: { ...identity(), "Idempotency-Key": key },
    ...way,
  });
  if (!answer) return unreachable();
  const told = await answer.json().catch(() => undefined);
  return answer.ok ? told : apiError(answer, told);
}
