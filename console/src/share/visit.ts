import type { Upload } from "../chat/client";
import { sent } from "../stream/sent";
import type { Kept } from "./kept";
import { isNamed, type SharePage } from "./page";
import { isClosing, Refusal } from "./refusal";

type Opened = { token: string; expires_at: number; key: string | null };
type Options = { body?: object; headers?: Record<string, string>; signal?: AbortSignal };
type Way = Parameters<Upload>[1];

/** Before its end a session is opened once more. */
const EARLY_MS = 30_000;

/** What a visitor is let in with, and requests that show it. */
export class Visit {
  /** Told that the link answers nobody any more. */
  onClosed: (error: Refusal) => void = () => undefined;
  /** Says who the visitor is, where the site around does. */
  userToken = "";
  private token = "";
  private untilMs = 0;
  private opening: Promise<void> | undefined;
  private readonly page: SharePage;
  private readonly kept: Kept;

  constructor(page: SharePage, kept: Kept) {
    this.page = page;
    this.kept = kept;
  }

  get isOpen(): boolean {
    return this.token !== "";
  }

  /** Another visitor comes: what the one before was let in with counts no more. */
  end(): void {
    this.token = "";
  }

  /** Opens a session with what is known, and with a password where one is given. */
  async open(password?: string): Promise<void> {
    const { isEmbedded, link } = this.page;
    const { key } = this.kept.values;
    const shown = {
      source: isEmbedded ? "embed" : "share_link",
      ...(password === undefined ? {} : { password }),
      ...(isNamed(this.page) ? { user_token: this.userToken } : key ? { key } : {}),
    };
    const opened: Opened = await (await this.request("POST", "/session", { body: shown })).json();
    this.token = opened.token;
    this.untilMs = opened.expires_at * 1000 - EARLY_MS;
    if (!opened.key) return;
    if (link.keepsHistory) this.kept.set({ key: opened.key });
    else this.kept.values = { ...this.kept.values, key: opened.key }; // as long as the page is open
  }

  /** Sends a request with a valid token; a session that has ended is opened once more. */
  call(method: string, path: string, options: Options = {}): Promise<Response> {
    return this.withToken((token) =>
      this.request(method, path, { ...options, headers: { ...options.headers, ...token } }),
    );
  }

  /** Sends a form with a valid token, and tells how far it is. */
  send(path: string, form: FormData, way: Way): Promise<Response> {
    return this.withToken(async (headers) => {
      const answer = await sent(this.address(path), form, { headers, ...way });
      if (!answer) throw new TypeError("The server did not answer.");
      return answerOrRefusal(answer);
    });
  }

  private async withToken(
    request: (headers: Record<string, string>) => Promise<Response>,
  ): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      try {
        if (!this.token || Date.now() > this.untilMs) await this.renew();
        return await request({ Authorization: `Bearer ${this.token}` });
      } catch (error) {
        if (isClosing(error)) this.onClosed(error);
        const isOver = error instanceof Refusal && error.status === 401;
        if (!isOver || tries > 0) throw error;
        this.token = "";
      }
    }
  }

  private address(path: string): string {
    return `/s/${this.page.code}/api${path}`;
  }

  private renew(): Promise<void> {
    this.opening ??= this.open().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async request(method: string, path: string, options: Options): Promise<Response> {
    const { body, headers, signal } = options;
    const answer = await fetch(this.address(path), {
      method,
      headers: { ...(body ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
      credentials: this.page.link.auth === "sign_in" ? "same-origin" : "omit",
      cache: "no-store",
    });
    return answerOrRefusal(answer);
  }
}

async function answerOrRefusal(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw new Refusal(answer.status, await answer.json().catch(() => null));
}
