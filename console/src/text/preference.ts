import { isLanguage, type Language } from "./language";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = "coterie_ui";
const YEAR_S = 365 * 24 * 60 * 60;

function isTheme(value: string): value is Theme {
  return value === "system" || value === "light" || value === "dark";
}

/** Language and theme as the server wrote them into the page, from the cookie or the request. */
export function pagePreference(): { language: Language; theme: Theme } {
  const root = document.documentElement;
  const [theme = ""] = root.classList;
  return {
    language: isLanguage(root.lang) ? root.lang : "en",
    theme: isTheme(theme) ? theme : "system",
  };
}

/** Keeps both for the next page, so that the server can write them into it. */
export function keepPreference(language: Language, theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the store for cookies is not in every browser
  document.cookie = `${COOKIE}=${language}.${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}
