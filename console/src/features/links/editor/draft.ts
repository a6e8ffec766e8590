import type { ChangeShareLinkBody, ShareLinkItem, ShareLinkLook } from "../../../api/schema";

/** A link as its form has it: texts of lines, times as the field of the browser spells them. */
export type Draft = Omit<ShareLinkLook, "suggestions" | "allowed_origins"> & {
  suggestions: string;
  allowed_origins: readonly string[];
  auth: ShareLinkItem["auth"];
  /** Empty: the one that is set stays. */
  password: string;
  public_key: string;
  /** Of the server that says who visitors are. */
  hook_url: string;
  expires: string;
};

export type PartProps = { draft: Draft; onChange: (next: Partial<Draft>) => void };

export function draftOf(link: ShareLinkItem): Draft {
  const { suggestions = [], allowed_origins = [], ...look } = link.settings;
  return {
    ...look,
    suggestions: suggestions.join("\n"),
    allowed_origins,
    auth: link.auth,
    password: "",
    public_key: link.public_key,
    hook_url: link.hook_url,
    expires: link.expires_at === null ? "" : localTime(link.expires_at),
  };
}

/** What differs from the link; nothing where it is as it was. */
export function changesOf(link: ShareLinkItem, draft: Draft): ChangeShareLinkBody | undefined {
  const { auth, password, public_key, hook_url, expires, suggestions, allowed_origins, ...look } =
    draft;
  const wanted: ShareLinkLook = {
    ...look,
    suggestions: suggestions.split("\n").filter((line) => line.trim() !== ""),
    allowed_origins: [...allowed_origins],
  };
  const settings = Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(valueAt(link.settings, key)),
    ),
  );
  const isExpiryNew = expires !== draftOf(link).expires;
  const changes: ChangeShareLinkBody = {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(auth !== link.auth && { auth }),
    ...(password && { password }),
    ...(public_key !== link.public_key && { public_key: public_key || null }),
    ...(hook_url !== link.hook_url && { hook_url: hook_url.trim() || null }),
    ...(isExpiryNew && { expires_at: expires ? secondsOf(expires) : null }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function valueAt(settings: object, key: string): unknown {
  return Object.entries(settings).find(([name]) => name === key)?.[1];
}

/** Seconds since 1970 as `2026-11-24T13:05` of this browser's zone. */
function localTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

function secondsOf(local: string): number {
  return Math.floor(new Date(local).getTime() / 1000);
}
