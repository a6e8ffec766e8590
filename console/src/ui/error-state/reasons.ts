import { useCallback, useEffect, useState } from "react";
import { Catalogue, useLanguage } from "../../text/catalogue";
import { inWords } from "./sentences";

/**
 * What refusals and findings say: by the server's own sentence, with {1}, {2} … where it has
 * values, or by the machine-readable reason that comes with it.
 */
export type Reasons = Readonly<Record<string, string>>;

export const reasonsText = new Catalogue<Reasons>({
  en: () => import("./reasons.en"),
  zh: () => import("./reasons.zh"),
});

const NONE: Reasons = {};
const AFTER = "：";

/** The reasons in another language than the server's; nothing while they are on their way. */
export function useReasons(): Reasons | undefined {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<Reasons>();
  const isForeign = language === "zh";
  useEffect(() => {
    let isWanted = isForeign;
    const take = (reasons: Reasons) => {
      if (isWanted) setLoaded(reasons);
    };
    if (isForeign) void reasonsText.load(language).then(take, () => take(NONE));
    return () => {
      isWanted = false;
    };
  }, [language, isForeign]);
  return isForeign ? loaded : NONE;
}

/** How to say what has a stable code, such as a finding; nothing while its words are on their way. */
export function useTold(): (code: string | number, message: string) => string {
  const reasons = useReasons();
  return useCallback(
    (code, message) => (reasons ? reasonOf({ slug: String(code), message }, reasons) : ""),
    [reasons],
  );
}

/** The words of a finding and what to do about it; nothing while they are on their way. */
export function useFindingWords(): (finding: Told) => { what: string; advice: string } {
  const reasons = useReasons();
  return ({ code, message, hint }) =>
    reasons
      ? { what: reasonOf({ slug: code, message }, reasons), advice: inWords(hint, reasons) ?? hint }
      : { what: "", advice: "" };
}

type Told = { code: string; message: string; hint: string };

/** What a refusal says; the server's own words where there are no others. */
export function reasonOf(
  { slug, message }: { slug?: string; message: string },
  reasons: Reasons,
): string {
  const sentence = inWords(message, reasons);
  if (sentence !== undefined) return sentence;
  const known = slug ? reasons[slug] : undefined;
  if (!known) return message;
  return known.endsWith(AFTER) ? known + message : known;
}
