import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import type { Text } from "../text.en";
import { NONE, type Reasons, reasonOf, useReasons } from "./reasons";

/** What a part of the page needs to know of an error; those of the API have all of it. */
export type Failure = {
  message: string;
  status?: number;
  code?: number;
  /** Machine-readable reason, by which refusals are said in other languages. */
  slug?: string;
  logId?: string;
  retryAfterS?: number;
};

type Words = { title: string; why: string; details: string };

/** The words of a failure in the language of the page. */
export function useFailureWords(failure: Failure): Words {
  const text = useText(uiText);
  const reasons = useReasons();
  const words = failureWords(failure, text, reasons);
  return reasons ? words : { ...words, why: "" };
}

/** Says in words what failed and why; details are for whoever is asked for help. */
export function failureWords(failure: Failure, text: Text, reasons: Reasons = NONE): Words {
  const { status, code, message, logId } = failure;
  const details = [message, `status ${status ?? "-"}`, `code ${code ?? "-"}`, logId ?? ""];
  return {
    ...plainWords(failure, text.failure, reasons),
    details: details.filter(Boolean).join("\n"),
  };
}

function plainWords(
  failure: Failure,
  text: Text["failure"],
  reasons: Reasons,
): Omit<Words, "details"> {
  const { status } = failure;
  const message = reasonOf(failure, reasons);
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
