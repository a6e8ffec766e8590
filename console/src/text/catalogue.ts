import { use, useSyncExternalStore } from "react";
import { currentLanguage, type Language, onLanguage, publishLanguage } from "./language";

type Loader<T> = () => Promise<{ text: T }>;

/** The texts of one feature, of which only those of the active language are loaded. */
export class Catalogue<T extends object> {
  private readonly loading = new Map<Language, Promise<T>>();
  private readonly loaders: { readonly en: Loader<T>; readonly zh: Loader<T> };

  constructor(loaders: { readonly en: Loader<T>; readonly zh: Loader<T> }) {
    this.loaders = loaders;
    catalogues.add(this);
  }

  load(language: Language): Promise<T> {
    let promise = this.loading.get(language);
    if (!promise) {
      promise = this.read(language);
      const begun = promise;
      begun.then(
        // React reads these two, and does not wait for what is there already.
        (value) => Object.assign(begun, { status: "fulfilled", value }),
        () => this.loading.delete(language),
      );
      this.loading.set(language, promise);
    }
    return promise;
  }

  /** Whether anybody has asked for it: only those follow when the language changes. */
  get isWanted(): boolean {
    return this.loading.size > 0;
  }

  private async read(language: Language): Promise<T> {
    const { text } = await this.loaders[language === "zh" ? "zh" : "en"]();
    return language === "en-XA" ? (await import("./pseudo")).disguised(text) : text;
  }
}

const catalogues = new Set<Catalogue<object>>();

/** Loads the texts in use in another language, then switches all of them at once. */
export async function switchLanguage(language: Language): Promise<void> {
  const wanted = [...catalogues].filter((each) => each.isWanted);
  await Promise.all(wanted.map((each) => each.load(language)));
  publishLanguage(language);
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, currentLanguage);
}

/** The texts of a catalogue; suspends where they are not loaded, which routes do ahead. */
export function useText<T extends object>(catalogue: Catalogue<T>): T {
  const language = useLanguage();
  return use(catalogue.load(language));
}
