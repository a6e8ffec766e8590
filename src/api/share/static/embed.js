// Puts the chat of a share link on any page: a button in a closed shadow root, and the chat in a
// frame of its own origin. No dependency; the page around keeps its styles, globals and focus.
(() => {
  "use strict";
  const script = document.currentScript;
  if (!script) return;
  const settings = script.dataset;
  const code = settings.link ?? "";
  const origin = new URL(script.src, location.href).origin;
  const EVENTS = ["ready", "open", "close", "message", "unread", "error"];
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

  class Widget {
    constructor(options) {
      this.code = options.code;
      this.origin = options.origin;
      this.settings = options.settings;
      this.nonce = options.nonce;
      this.token = options.settings.user ?? "";
      this.listeners = options.listeners;
      this.waiting = [];
      this.isOpen = false;
      this.isReady = false;
      this.words = WORDS[this.language()];
      this.hear = (event) => this.heard(event);
      this.key = (event) => {
        if (event.key === "Escape" && this.isOpen) this.close();
      };
      this.build();
      window.addEventListener("message", this.hear);
    }

    language() {
      const wanted = this.settings.lang || document.documentElement.lang || navigator.language;
      return /^zh\b/i.test(wanted) ? "zh" : "en";
    }

    build() {
      const target = this.settings.target && document.querySelector(this.settings.target);
      this.isInline = this.settings.position === "inline" && target !== null;
      const side = this.settings.position === "left" ? "left" : "right";
      this.element = document.createElement("coterie-chat");
      const shadow = this.element.attachShadow({ mode: "closed" });
      this.dress(shadow);
      this.box = document.createElement("div");
      this.box.className = this.isInline ? "inline" : side;
      this.button = document.createElement("button");
      this.button.type = "button";
      this.button.className = "button";
      this.button.setAttribute("aria-haspopup", "dialog");
      this.button.append(sign());
      if (this.settings.label) this.button.append(this.settings.label);
      this.unread = document.createElement("span");
      this.unread.className = "unread";
      this.unread.hidden = true;
      this.button.append(this.unread);
      this.button.addEventListener("click", () => this.toggle());
      this.button.addEventListener("keydown", this.key);
      this.box.append(this.button);
      shadow.append(this.box);
      this.shadow = shadow;
      this.name();
      const colour = /^#[0-9a-f]{6}$/i.test(this.settings.color ?? "") ? this.settings.color : "#2f56c8";
      const style = this.element.style;
      style.setProperty("--ground", colour);
      style.setProperty("--sign", isLight(colour) ? "#14181f" : "#fff");
      style.setProperty("--page", this.isDark() ? "#16191f" : "#fbfbfc");
      style.setProperty("--z", /^\d+$/.test(this.settings.z ?? "") ? this.settings.z : "2147483000");
      if (this.isInline) style.setProperty("display", "block");
      if (this.isInline) style.setProperty("height", "100%");
      (this.isInline ? target : document.body).append(this.element);
      if (this.isInline || this.settings.open === "true" || this.settings.open === "") this.open(false);
    }

    /** Styles without an inline attribute: adopted sheets need no leave of the page's policy. */
    dress(shadow) {
      try {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        shadow.adoptedStyleSheets = [sheet];
      } catch {
        const style = document.createElement("style");
        style.nonce = this.nonce;
        style.textContent = STYLE;
        shadow.append(style);
      }
    }

    isDark() {
      const { theme } = this.settings;
      if (theme === "dark" || theme === "light") return theme === "dark";
      return matchMedia("(prefers-color-scheme: dark)").matches;
    }

    name() {
      const label = this.isOpen ? this.words.close : this.words.open;
      const news = this.unread.hidden ? "" : `, ${this.words.unread}`;
      this.button.setAttribute("aria-label", (this.settings.label || label) + news);
      this.button.setAttribute("aria-expanded", String(this.isOpen));
    }

    frameUrl() {
      const url = new URL(`/s/${encodeURIComponent(this.code)}`, this.origin);
      url.searchParams.set("embed", "1");
      if (this.settings.lang) url.searchParams.set("lang", this.language());
      const theme = { light: "light", dark: "dark", auto: "system" }[this.settings.theme];
      if (theme) url.searchParams.set("theme", theme);
      return url.href;
    }

    load() {
      this.panel = document.createElement("div");
      this.panel.className = "panel";
      if (!this.isInline) {
        this.panel.setAttribute("role", "dialog");
        this.panel.setAttribute("aria-label", this.settings.label || this.words.chat);
      }
      const frame = document.createElement("iframe");
      frame.title = this.settings.label || this.words.chat;
      frame.setAttribute(
        "sandbox",
        "allow-scripts allow-same-origin allow-forms allow-popups" +
          " allow-popups-to-escape-sandbox allow-downloads",
      );
      frame.allow = "clipboard-write";
      frame.referrerPolicy = "origin";
      frame.src = this.frameUrl();
      this.frame = frame;
      this.panel.append(this.edge(), frame, this.edge());
      this.box.prepend(this.panel);
    }

    /** While the panel covers a phone's screen, what is next to the chat is the chat. */
    edge() {
      const edge = document.createElement("div");
      edge.className = "edge";
      edge.addEventListener("focus", () => this.frame.focus());
      const small = matchMedia("(max-width: 480px)");
      const set = () => {
        if (small.matches && !this.isInline) edge.tabIndex = 0;
        else edge.removeAttribute("tabindex");
      };
      set();
      small.addEventListener("change", set);
      (this.leave ??= []).push(() => small.removeEventListener("change", set));
      return edge;
    }

    tell(type, more = {}) {
      if (this.frame?.contentWindow && this.isHeard) {
        this.frame.contentWindow.postMessage({ coterie: 1, code: this.code, type, ...more }, this.origin);
      }
    }

    heard(event) {
      if (!this.frame || event.source !== this.frame.contentWindow || event.origin !== this.origin) return;
      const said = event.data;
      if (said?.coterie !== 1 || said.code !== this.code) return;
      switch (said.type) {
        case "hello":
          this.isHeard = true;
          this.tell("init", { token: this.token, values: said.isBlocked ? this.kept() : null });
          break;
        case "ready":
          this.isReady = true;
          this.tell("shown", { isShown: this.isOpen });
          for (const text of this.waiting.splice(0)) this.tell("send", { text });
          this.emit("ready");
          break;
        case "close":
          if (!this.isInline) this.close();
          break;
        case "store":
          this.keep(said.values);
          break;
        case "message":
          this.emit("message", { text: String(said.text) });
          break;
        case "unread":
          if (this.isOpen) break;
          this.unread.hidden = false;
          this.name();
          this.emit("unread");
          break;
        case "error":
          this.emit("error", { reason: String(said.reason), message: String(said.message) });
          break;
        default:
      }
    }

    kept() {
      try {
        return JSON.parse(localStorage.getItem("coterie-chat") ?? "{}")[this.code] ?? {};
      } catch {
        return {};
      }
    }

    keep(values) {
      try {
        const all = JSON.parse(localStorage.getItem("coterie-chat") ?? "{}");
        localStorage.setItem("coterie-chat", JSON.stringify({ ...all, [this.code]: values }));
      } catch {
        // Nothing is kept then; the chat begins anew the next time.
      }
    }

    emit(name, detail) {
      for (const listener of this.listeners.get(name)) this.call(listener, detail);
    }

    call(listener, detail) {
      try {
        listener(detail, this.code);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }

    open(takesFocus = true) {
      if (this.isOpen || this.isGone) return;
      this.isOpen = true;
      if (!this.panel) this.load();
      this.panel.hidden = false;
      this.box.classList.add("is-open");
      this.unread.hidden = true;
      this.name();
      if (takesFocus) {
        this.before = document.activeElement;
        this.frame.focus({ preventScroll: true });
        this.tell("shown", { isShown: true });
      }
      this.emit("open");
    }

    close() {
      if (!this.isOpen || this.isInline) return;
      this.isOpen = false;
      this.panel.hidden = true;
      this.box.classList.remove("is-open");
      this.name();
      this.tell("shown", { isShown: false });
      const back = this.before && this.before !== this.element ? this.before : this.button;
      if (back.isConnected) back.focus({ preventScroll: true });
      this.emit("close");
    }

    toggle() {
      if (this.isOpen) this.close();
      else this.open();
    }

    send(text) {
      this.open();
      if (this.isReady) this.tell("send", { text: String(text) });
      else this.waiting.push(String(text));
    }

    setUser(token) {
      this.token = String(token);
      this.tell("user", { token: this.token });
    }

    destroy() {
      this.isGone = true;
      window.removeEventListener("message", this.hear);
      for (const leave of this.leave ?? []) leave();
      this.element.remove();
    }
  }

  function sign() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", "M4 5.5h16v11H12l-4.5 4v-4H4zM8 9.5h8M8 12.5h5");
    svg.append(path);
    return svg;
  }

  function isLight(colour) {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.36;
  }

  const widgets = window.Coterie?.widgets ?? new Map();
  const listeners =
    window.Coterie?.listeners ?? new Map(EVENTS.map((name) => [name, new Set()]));
  if (!window.Coterie) {
    const all = (act) => (...given) => {
      for (const widget of [...widgets.values()]) act(widget, ...given);
    };
    const one = (act) => (...given) => {
      const [widget] = widgets.values();
      if (widget) act(widget, ...given);
    };
    window.Coterie = Object.freeze({
      widgets,
      listeners,
      open: one((widget) => widget.open()),
      close: all((widget) => widget.close()),
      toggle: one((widget) => widget.toggle()),
      send: one((widget, text) => widget.send(text)),
      setUser: all((widget, token) => widget.setUser(token)),
      on(name, listener) {
        if (!EVENTS.includes(name)) throw new TypeError(`Coterie.on: one of ${EVENTS.join(", ")}`);
        listeners.get(name).add(listener);
        if (name === "ready") {
          for (const widget of widgets.values()) if (widget.isReady) widget.call(listener);
        }
        return () => listeners.get(name).delete(listener);
      },
      destroy: all((widget) => {
        widgets.delete(widget.code);
        widget.destroy();
        for (const each of listeners.values()) each.clear();
      }),
    });
  }
  const begin = () => {
    if (!code || widgets.has(code)) return;
    const nonce = settings.nonce || script.nonce || "";
    widgets.set(code, new Widget({ code, origin, settings: { ...settings }, nonce, listeners }));
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin, { once: true });
})();
