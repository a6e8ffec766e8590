/** Languages that there is a catalogue for; `en-XA` is English in disguise (`pseudo.ts`). */
export type Language = "en" | "zh" | "en-XA";

let current: Language = "en";
const listeners = new Set<() => void>();

export function currentLanguage(): Language {
  return current;
}

/** The name that `Intl` knows a language by. */
export function locale(): string {
  return current === "zh" ? "zh-CN" : "en";
}

export function isLanguage(value: string): value is Language {
  return value === "en" || value === "zh" || value === "en-XA";
}

/** Switches for everybody who listens; `catalogue.ts` has loaded the texts before. */
export function publishLanguage(language: Language): void {
  current = language;
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
  for (const listener of listeners) listener();
}

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
