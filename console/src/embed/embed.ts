// Puts the chat of a share link on any page: a button in a closed shadow root, and the chat in a
// frame of its own origin. No dependency; the page around keeps its styles, globals and focus.

const EVENTS = ["ready", "open", "close", "message", "unread", "error"] as const;
const VERSION = 1;
/** Where a site keeps the visitors of its chats for browsers that block storage in frames. */
const KEPT = "coterie-chat";
const WORDS = {
  en: { open: "Open the chat", close: "Close the chat", chat: "Chat", unread: "new messages" },
  zh: { open: "打开对话", close: "关闭对话", chat: "对话", unread: "有新消息" },
};
const STYLE = `
:host { all: initial; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.button {
  position: fixed; bottom: 20px; z-index: var(--z); display: inline-flex; align-items: center;
  justify-content: center; gap: 8px; min-width: 56px; height: 56px; padding: 0 16px; border: 0;
  border-radius: 28px; background: var(--ground); color: var(--sign); cursor: pointer;
  font: 600 15px/20px -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", Roboto, sans-serif;
  box-shadow: 0 1px 2px rgb(0 0 0 / .12), 0 8px 24px rgb(0 0 0 / .18);
}
.right .button { right: 20px; }
.left .button { left: 20px; }
.button:hover { filter: brightness(.94); }
.button:focus-visible { outline: 2px solid var(--ground); outline-offset: 3px; }
.button svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 1.7;
  stroke-linecap: round; stroke-linejoin: round; flex: none; }
.unread { position: absolute; top: 2px; right: 2px; width: 14px; height: 14px; border-radius: 50%;
  background: #d92d20; border: 2px solid #fff; }
.panel {
  position: fixed; bottom: 88px; z-index: var(--z); width: min(400px, calc(100vw - 40px));
  height: min(640px, calc(100dvh - 108px)); border-radius: 12px; overflow: hidden;
  background: var(--page); box-shadow: 0 0 0 1px rgb(0 0 0 / .08), 0 16px 48px rgb(0 0 0 / .22);
}
.right .panel { right: 20px; }
.left .panel { left: 20px; }
.inline, .inline .panel { display: block; position: static; width: 100%; height: 100%; }
.inline .panel { border-radius: 0; box-shadow: none; min-height: 360px; }
.inline .button { display: none; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: normal; }
.edge { position: absolute; width: 1px; height: 1px; overflow: hidden; }
@media (max-width: 480px) {
  .right .panel, .left .panel { inset: 0; width: 100%; height: 100dvh; border-radius: 0; }
  .is-open.right .button, .is-open.left .button { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .right .panel, .left .panel { animation: rise .18s ease-out; }
  @keyframes rise { from { opacity: 0; transform: translateY(8px); } }
}
@media print { .button, .panel { display: none; } }
`;

type EventName = (typeof EVENTS)[number];
type Listener = (detail: unknown, code: string) => void;
type Listeners = ReadonlyMap<EventName, Set<Listener>>;

type Options = {
  code: string;
  origin: string;
  settings: Readonly<Record<string, string | undefined>>;
  nonce: string;
  listeners: Listeners;
};

/** What the chat says; anything else is dropped. */
type Said = {
  coterie?: number;
  code?: string;
  type?: string;
  isBlocked?: boolean;
  values?: unknown;
  text?: unknown;
  reason?: unknown;
  message?: unknown;
};

/** What sites call. */
type Api = Readonly<{
  widgets: Map<string, Widget>;
  listeners: Listeners;
  open: () => void;
  close: () => void;
  toggle: () => void;
  send: (text: string) => void;
  setUser: (token: string) => void;
  on: (name: EventName, listener: Listener) => () => void;
  destroy: () => void;
}>;

declare global {
  interface Window {
    Coterie?: Api;
  }
}

/** One button with its chat. */
class Widget {
  readonly code: string;
  isReady = false;
  private readonly options: Options;
  private readonly words: (typeof WORDS)["en"];
  private readonly target: Element | null;
  private readonly element = document.createElement("coterie-chat");
  private readonly box = document.createElement("div");
  private readonly button = document.createElement("button");
  private readonly unread = document.createElement("span");
  private readonly waiting: string[] = [];
  private readonly leave: (() => void)[] = [];
  private panel: HTMLElement | undefined;
  private frame: HTMLIFrameElement | undefined;
  private before: Element | null = null;
  private token: string;
  private isOpen = false;
  private isHeard = false;
  private isGone = false;

  constructor(options: Options) {
    const { settings } = options;
    this.options = options;
    this.code = options.code;
    this.token = settings["user"] ?? "";
    this.words = WORDS[this.language()];
    this.target =
      settings["position"] === "inline" && settings["target"]
        ? document.querySelector(settings["target"])
        : null;
    this.build();
    const hear = (event: MessageEvent<Said | null>) => this.heard(event);
    window.addEventListener("message", hear);
    this.leave.push(() => window.removeEventListener("message", hear));
  }

  private language(): "en" | "zh" {
    const { lang } = this.options.settings;
    const wanted = lang || document.documentElement.lang || navigator.language;
    return /^zh\b/i.test(wanted) ? "zh" : "en";
  }

  private build(): void {
    const { settings } = this.options;
    const shadow = this.element.attachShadow({ mode: "closed" });
    this.dress(shadow);
    const side = settings["position"] === "left" ? "left" : "right";
    this.box.className = this.target ? "inline" : side;
    const { button, unread } = this;
    button.type = "button";
    button.className = "button";
    button.setAttribute("aria-haspopup", "dialog");
    button.append(sign());
    if (settings["label"]) button.append(settings["label"]);
    unread.className = "unread";
    unread.hidden = true;
    button.append(unread);
    button.addEventListener("click", () => this.toggle());
    button.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) this.close();
    });
    this.box.append(button);
    shadow.append(this.box);
    this.name();
    this.paint();
    (this.target ?? document.body).append(this.element);
    const { open } = settings;
    if (this.target || open === "true" || open === "") this.open(false);
  }

  private paint(): void {
    const { color, theme, z } = this.options.settings;
    const colour = color && /^#[0-9a-f]{6}$/i.test(color) ? color : "#2f56c8";
    const isDark =
      theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    const { style } = this.element;
    style.setProperty("--ground", colour);
    style.setProperty("--sign", isLight(colour) ? "#14181f" : "#fff");
    style.setProperty("--page", isDark ? "#16191f" : "#fbfbfc");
    style.setProperty("--z", z && /^\d+$/.test(z) ? z : "2147483000");
    if (!this.target) return;
    style.setProperty("display", "block");
    style.setProperty("height", "100%");
  }

  /** Styles without an inline attribute: adopted sheets need no leave of the page's policy. */
  private dress(shadow: ShadowRoot): void {
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      shadow.adoptedStyleSheets = [sheet];
    } catch {
      const style = document.createElement("style");
      style.nonce = this.options.nonce;
      style.textContent = STYLE;
      shadow.append(style);
    }
  }

  private name(): void {
    const label = this.isOpen ? this.words.close : this.words.open;
    const news = this.unread.hidden ? "" : `, ${this.words.unread}`;
    this.button.setAttribute("aria-label", (this.options.settings["label"] || label) + news);
    this.button.setAttribute("aria-expanded", String(this.isOpen));
  }

  private frameUrl(): string {
    const { lang, theme } = this.options.settings;
    const url = new URL(`/s/${encodeURIComponent(this.code)}`, this.options.origin);
    url.searchParams.set("embed", "1");
    if (lang) url.searchParams.set("lang", this.language());
    if (theme === "light" || theme === "dark") url.searchParams.set("theme", theme);
    else if (theme === "auto") url.searchParams.set("theme", "system");
    return url.href;
  }

  private load(): { panel: HTMLElement; frame: HTMLIFrameElement } {
    const title = this.options.settings["label"] || this.words.chat;
    const panel = document.createElement("div");
    panel.className = "panel";
    if (!this.target) {
      panel.setAttribute("role", "dialog");
      panel.setAttribute("aria-label", title);
    }
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.setAttribute(
      "sandbox",
      "allow-scripts allow-same-origin allow-forms allow-popups" +
        " allow-popups-to-escape-sandbox allow-downloads",
    );
    frame.allow = "clipboard-write";
    frame.referrerPolicy = "origin";
    frame.src = this.frameUrl();
    panel.append(this.edge(frame), frame, this.edge(frame));
    this.box.prepend(panel);
    this.panel = panel;
    this.frame = frame;
    return { panel, frame };
  }

  /** While the panel covers a phone's screen, what is next to the chat is the chat. */
  private edge(frame: HTMLIFrameElement): HTMLElement {
    const edge = document.createElement("div");
    edge.className = "edge";
    edge.addEventListener("focus", () => frame.focus());
    const small = matchMedia("(max-width: 480px)");
    const set = () => {
      if (small.matches && !this.target) edge.tabIndex = 0;
      else edge.removeAttribute("tabindex");
    };
    set();
    small.addEventListener("change", set);
    this.leave.push(() => small.removeEventListener("change", set));
    return edge;
  }

  private tell(type: string, more: Readonly<Record<string, unknown>> = {}): void {
    if (!this.isHeard) return;
    const said = { coterie: VERSION, code: this.code, type, ...more };
    this.frame?.contentWindow?.postMessage(said, this.options.origin);
  }

  private heard({ source, origin, data }: MessageEvent<Said | null>): void {
    if (!this.frame || source !== this.frame.contentWindow) return;
    if (origin !== this.options.origin || data?.coterie !== VERSION || data.code !== this.code)
      return;
    switch (data.type) {
      case "hello":
        this.isHeard = true;
        this.tell("init", { token: this.token, values: data.isBlocked ? kept(this.code) : null });
        break;
      case "ready":
        this.isReady = true;
        this.tell("shown", { isShown: this.isOpen });
        for (const text of this.waiting.splice(0)) this.tell("send", { text });
        this.emit("ready");
        break;
      case "close":
        this.close();
        break;
      case "store":
        keep(this.code, data.values);
        break;
      case "message":
        this.emit("message", { text: String(data.text) });
        break;
      case "unread":
        if (this.isOpen) break;
        this.unread.hidden = false;
        this.name();
        this.emit("unread");
        break;
      case "error":
        this.emit("error", { reason: String(data.reason), message: String(data.message) });
        break;
      default:
    }
  }

  private emit(name: EventName, detail?: unknown): void {
    for (const listener of this.options.listeners.get(name) ?? []) this.call(listener, detail);
  }

  /** What a listener throws is the site's, and no reason to stop here. */
  call(listener: Listener, detail?: unknown): void {
    try {
      listener(detail, this.code);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }

  open(takesFocus = true): void {
    if (this.isOpen || this.isGone) return;
    this.isOpen = true;
    const { panel, frame } =
      this.panel && this.frame ? { panel: this.panel, frame: this.frame } : this.load();
    panel.hidden = false;
    this.box.classList.add("is-open");
    this.unread.hidden = true;
    this.name();
    if (takesFocus) {
      this.before = document.activeElement;
      frame.focus({ preventScroll: true });
      this.tell("shown", { isShown: true });
    }
    this.emit("open");
  }

  close(): void {
    if (!this.isOpen || !this.panel || this.target) return;
    this.isOpen = false;
    this.panel.hidden = true;
    this.box.classList.remove("is-open");
    this.name();
    this.tell("shown", { isShown: false });
    const { before } = this;
    const isOther = before instanceof HTMLElement && before !== this.element && before.isConnected;
    (isOther ? before : this.button).focus({ preventScroll: true });
    this.emit("close");
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  send(text: string): void {
    this.open();
    if (this.isReady) this.tell("send", { text });
    else this.waiting.push(text);
  }

  setUser(token: string): void {
    this.token = token;
    this.tell("user", { token });
  }

  destroy(): void {
    this.isGone = true;
    for (const leave of this.leave) leave();
    this.element.remove();
  }
}

function all(): Record<string, unknown> {
  return JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? {};
}

function kept(code: string): unknown {
  try {
    return all()[code] ?? {};
  } catch {
    return {};
  }
}

function keep(code: string, values: unknown): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...all(), [code]: values }));
  } catch {
    // Nothing is kept then; the chat begins anew the next time.
  }
}

function sign(): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M4 5.5h16v11H12l-4.5 4v-4H4zM8 9.5h8M8 12.5h5");
  svg.append(path);
  return svg;
}

/** Whether dark signs are read better on a colour (relative luminance of WCAG). */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.36;
}

function newApi(): Api {
  const widgets = new Map<string, Widget>();
  const listeners: Listeners = new Map(EVENTS.map((name) => [name, new Set<Listener>()]));
  const each = (act: (widget: Widget) => void) => {
    for (const widget of [...widgets.values()]) act(widget);
  };
  const first = (act: (widget: Widget) => void) => {
    const [widget] = widgets.values();
    if (widget) act(widget);
  };
  return Object.freeze({
    widgets,
    listeners,
    open: () => first((widget) => widget.open()),
    close: () => each((widget) => widget.close()),
    toggle: () => first((widget) => widget.toggle()),
    send: (text: string) => first((widget) => widget.send(String(text))),
    setUser: (token: string) => each((widget) => widget.setUser(String(token))),
    on(name: EventName, listener: Listener) {
      const heard = listeners.get(name);
      if (!heard) throw new TypeError(`Coterie.on: one of ${EVENTS.join(", ")}`);
      heard.add(listener);
      if (name === "ready") each((widget) => widget.isReady && widget.call(listener));
      return () => {
        heard.delete(listener);
      };
    },
    destroy() {
      each((widget) => {
        widgets.delete(widget.code);
        widget.destroy();
      });
      for (const heard of listeners.values()) heard.clear();
    },
  });
}

function begin(script: HTMLScriptElement): void {
  const settings = { ...script.dataset };
  const nonce = settings["nonce"] || script.nonce || "";
  const { origin } = new URL(script.src, location.href);
  const code = settings["link"] ?? "";
  window.Coterie ??= newApi();
  const { widgets, listeners } = window.Coterie;
  const place = () => {
    if (!code || widgets.has(code)) return;
    widgets.set(code, new Widget({ code, origin, settings, nonce, listeners }));
  };
  if (document.body) place();
  else document.addEventListener("DOMContentLoaded", place, { once: true });
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) begin(script);

export {};
