import type { SentShortcut } from "../chat/shortcuts";
import type { Language } from "../text/language";

/** What the server wrote into the page: how a link looks, and what it asks visitors for. */
export type SharePage = {
  code: string;
  language: Language;
  isEmbedded: boolean;
  /** Sites that may show the page in a frame. */
  origins: readonly string[];
  link: {
    name: string;
    auth: "none" | "password" | "user_token" | "hook" | "sign_in";
    iconUrl: string;
    welcome: string;
    suggestions: readonly string[];
    footer: string;
    allowsFiles: boolean;
    keepsHistory: boolean;
    takesFeedback: boolean;
    shortcuts: readonly SentShortcut[];
  };
};

export function readPage(): SharePage {
  return JSON.parse(document.getElementById("page")?.textContent ?? "null");
}

/** Whether the site around, or a server of its owner, says who visitors are. */
export function isNamed({ link }: SharePage): boolean {
  return link.auth === "user_token" || link.auth === "hook";
}
