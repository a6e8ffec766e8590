import "./style/layers.css";
import "./style/tokens.css";
import "./style/fonts.css";
import "./style/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { chatText } from "./chat/text";
import { App } from "./share/app";
import { readPage } from "./share/page";
import { shareText } from "./share/text";
import { switchLanguage } from "./text/catalogue";
import { uiText } from "./ui/text";

async function begin(root: HTMLElement): Promise<void> {
  const page = readPage();
  const texts = [shareText, chatText, uiText];
  await Promise.all(texts.map((each) => each.load(page.language)));
  await switchLanguage(page.language);
  createRoot(root).render(
    <StrictMode>
      <App page={page} />
    </StrictMode>,
  );
}

const root = document.getElementById("root");
if (root) void begin(root);
