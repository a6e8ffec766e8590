import "./style/layers.css";
import "./style/tokens.css";
import "./style/fonts.css";
import "./style/base.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { newQueryClient } from "./api/queries";
import { newRouter } from "./router";
import { beginAppearance } from "./session/appearance";
import { beginKeeping } from "./session/keeper";
import { sessionText } from "./session/text";
import { shellText } from "./shell/text";
import { currentLanguage } from "./text/language";
import { pagePreference } from "./text/preference";
import { StyleNonce } from "./ui/nonce";
import { uiText } from "./ui/text";
import { ToastsWhenWanted } from "./ui/toast/toasts-when-wanted";

const HOVER_MS = 400;
const GALLERY = "/console/gallery";

/** All controls on one page; no part of what is built. */
const Gallery = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import("./features/gallery/gallery")).Gallery }))
  : undefined;

/** Reads the nonce of the page's styles once, and takes it out of the document. */
function takeNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  meta?.remove();
  return meta?.content;
}

async function begin(root: HTMLElement): Promise<void> {
  const nonce = takeNonce();
  const queries = newQueryClient();
  beginKeeping(queries);
  const router = newRouter(queries);
  const { language } = pagePreference();
  const texts = [shellText, uiText, sessionText];
  await Promise.all([...texts.map((each) => each.load(language)), beginAppearance()]);
  document.documentElement.lang = currentLanguage();
  createRoot(root).render(
    <StrictMode>
      <CSPProvider {...(nonce ? { nonce } : {})}>
        <StyleNonce value={nonce}>
          <QueryClientProvider client={queries}>
            <Tooltip.Provider delay={HOVER_MS}>
              {Gallery && location.pathname === GALLERY ? (
                <Gallery />
              ) : (
                <RouterProvider router={router} />
              )}
              <ToastsWhenWanted />
            </Tooltip.Provider>
          </QueryClientProvider>
        </StyleNonce>
      </CSPProvider>
    </StrictMode>,
  );
}

const root = document.getElementById("root");
if (root) void begin(root);
