import type { Text } from "../text.en";

/** What a part of the page needs to know of an error; those of the API have all of it. */
export type Failure = {
  message: string;
  status?: number;
  code?: number;
  logId?: string;
  retryAfterS?: number;
};

type Words = { title: string; why: string; details: string };

/** Says in words what failed and why; details are for whoever is asked for help. */
export function failureWords(failure: Failure, text: Text): Words {
  const { status, code, message, logId } = failure;
  const details = [message, `status ${status ?? "-"}`, `code ${code ?? "-"}`, logId ?? ""];
  return { ...plainWords(failure, text.failure), details: details.filter(Boolean).join("\n") };
}

function plainWords(failure: Failure, text: Text["failure"]): Omit<Words, "details"> {
  const { status, message } = failure;
  if (status === undefined) return { title: text.broken, why: "" };
  if (status === 0) return { title: text.unreachable, why: text.unreachableWhy };
  if (status === 403) return { title: text.forbidden, why: message };
  if (status === 404) return { title: text.notFound, why: text.notFoundWhy };
  if (status === 429) {
    return { title: text.tooMany, why: text.tooManyWhy(Math.max(1, failure.retryAfterS ?? 1)) };
  }
  if (status === 503) return { title: text.restarting, why: message };
  if (status >= 502) return { title: text.unreachable, why: text.unreachableWhy };
  if (status >= 500) return { title: text.defect, why: text.defectWhy };
  return { title: text.refused, why: message };
}
