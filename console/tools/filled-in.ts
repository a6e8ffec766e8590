import type { Plugin } from "vite";

/** The places of the page that the server fills, filled in for the development server. */
export function filledIn(): Plugin {
  return {
    name: "filled-in",
    apply: "serve",
    transformIndexHtml: (html) =>
      html
        .replace("{{language}}", "en")
        .replace("{{theme}}", "system")
        .replace('<meta name="csp-nonce" content="{{nonce}}" />', ""),
  };
}
