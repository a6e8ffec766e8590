import { useCallback, useEffect, useState } from "react";
import { Catalogue, useLanguage } from "../../text/catalogue";
import type { Nouns } from "./sentences";

/** What refusals and findings say in another language than the server's. */
export type Reasons = {
  /** By the machine-readable reason that comes with them. */
  readonly byCode: Readonly<Record<string, string>>;
  /** By the server's own sentence; nothing where there are no words for it. */
  readonly inWords: (message: string) => string | undefined;
  /** Names of our own code, by what they name. */
  readonly nouns: Nouns;
};

/** None: the server's own words are English, and say more. */
export const NONE: Reasons = { byCode: {}, inWords: () => undefined, nouns: {} };

export const reasonsText = new Catalogue<Reasons>({
  en: () => Promise.resolve({ text: NONE }),
  zh: () => import("./reasons.zh"),
});

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

/** How to say a name of the server's own; nothing while its words are on their way. */
export function useNoun(): (group: string, name: string) => string {
  const reasons = useReasons();
  return (group, name) => (reasons ? (reasons.nouns[group]?.[name] ?? name) : "");
}

/** The words of a finding and what to do about it; nothing while they are on their way. */
export function useFindingWords(): (finding: Told) => { what: string; advice: string } {
  const reasons = useReasons();
  return ({ code, message, hint }) =>
    reasons
      ? { what: reasonOf({ slug: code, message }, reasons), advice: reasons.inWords(hint) ?? hint }
      : { what: "", advice: "" };
}

type Told = { code: string; message: string; hint: string };

/** What a refusal says; the server's own words where there are no others. */
export function reasonOf(
  { slug, message }: { slug?: string; message: string },
  reasons: Reasons,
): string {
  const sentence = reasons.inWords(message);
  if (sentence !== undefined) return sentence;
  const known = slug ? reasons.byCode[slug] : undefined;
  if (!known) return message;
  return known.endsWith(AFTER) ? known + message : known;
}
