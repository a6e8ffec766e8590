import type { Kept, Values } from "./kept";
import type { SharePage } from "./page";

/** What the site around says; anything else is dropped. */
type Said = {
  coterie?: number;
  code?: string;
  type?: string;
  token?: unknown;
  values?: Values | null;
  isShown?: unknown;
  text?: unknown;
};

const VERSION = 1;
const GREETED_MS = 3000;
const QUESTION_CHARS = 20_000;

/**
 * The site around a chat that stands in a frame. Both sides name the origin they speak to, and hear
 * nothing from another.
 */
export class Host {
  /** Whether anybody looks at the chat. */
  isShown: boolean;
  userToken = "";
  onUser: (token: string) => void = () => undefined;
  onShown: () => void = () => undefined;
  onSend: (text: string) => void = () => undefined;
  readonly isAround: boolean;
  private readonly origin: string | undefined;
  private readonly page: SharePage;
  private readonly kept: Kept;

  constructor(page: SharePage, kept: Kept) {
    this.page = page;
    this.kept = kept;
    this.isAround = page.isEmbedded && window.parent !== window;
    this.isShown = !this.isAround;
    this.origin = this.isAround ? originAround(page.origins) : undefined;
    kept.onBlocked = (values) => this.tell("store", { values });
  }

  tell(type: string, more: Readonly<Record<string, unknown>> = {}): void {
    if (!this.origin) return;
    const { code } = this.page;
    window.parent.postMessage({ coterie: VERSION, code, type, ...more }, this.origin);
  }

  /** Greets the site around and waits, not for long, for what it knows of the visitor. */
  async greet(): Promise<void> {
    if (!this.isAround) return;
    const greeted = new Promise<void>((done) => {
      window.addEventListener("message", (event: MessageEvent<Said | null>) => {
        if (event.source !== window.parent || event.origin !== this.origin) return;
        const said = event.data;
        if (said?.coterie !== VERSION || said.code !== this.page.code) return;
        this.hear(said);
        if (said.type === "init") done();
      });
    });
    this.tell("hello", { isBlocked: this.kept.isBlocked });
    if (this.origin) await Promise.race([greeted, new Promise((go) => setTimeout(go, GREETED_MS))]);
  }

  private hear(said: Said): void {
    switch (said.type) {
      case "init":
        if (said.values) this.kept.adopt(said.values);
        if (typeof said.token === "string") this.userToken = said.token;
        break;
      case "user":
        if (typeof said.token === "string" && said.token !== this.userToken) {
          this.userToken = said.token;
          this.onUser(said.token);
        }
        break;
      case "shown":
        this.isShown = said.isShown === true;
        if (this.isShown) this.onShown();
        break;
      case "send":
        if (typeof said.text === "string") this.onSend(said.text.slice(0, QUESTION_CHARS));
        break;
      default:
    }
  }
}

/** The site that the page stands in, as the browser says, if it is one of those allowed. */
function originAround(allowed: readonly string[]): string | undefined {
  const found =
    location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin);
  return found && (found === location.origin || allowed.includes(found)) ? found : undefined;
}
