const BLOCKS = new Set(
  "blockquote div dl figure h1 h2 h3 h4 h5 h6 hr ol p section table ul".split(" "),
);

/** What has nothing but elements in it: what stands between them are line ends of the source. */
const GROUPS = new Set("ol table tbody thead ul".split(" "));

/** What an answer says as it stands on the page; nothing where it is not drawn. */
export function saidIn(answer: Element | null | undefined): string {
  return [...(answer?.querySelectorAll("[data-said]") ?? [])].map(plainOf).join("\n\n");
}

/** What an element says as plain text: lists with their signs, cells behind tabs, formulas as TeX. */
function plainOf(element: Element): string {
  return said(element)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function said(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
  if (!(node instanceof Element) || isAside(node)) return "";
  const whole = node.textContent ?? "";
  switch (node.localName) {
    case "br":
      return "\n";
    case "math":
      return node.querySelector("annotation")?.textContent ?? whole;
    case "pre":
      return `\n\n${whole}\n\n`;
    case "button": // the mark of a source, or a picture
      return whole ? `[${whole}]` : [...node.children].map(said).join("");
    case "img":
      return node.getAttribute("alt") ?? "";
  }
  const parts = GROUPS.has(node.localName) ? node.children : node.childNodes;
  const inner = [...parts].map(said).join("");
  switch (node.localName) {
    case "a":
      return withAddress(inner, node.getAttribute("href") ?? "");
    case "li":
      return `\n${signOf(node)}${inner.trim().replace(/\n+/g, "\n  ")}`;
    case "tr":
      return `\n${[...node.children].map(plainOf).join("\t")}`;
  }
  return BLOCKS.has(node.localName) ? `\n\n${inner}\n\n` : inner;
}

/** What stands there for the eye, and is none of the words: hosts of links, bars of code, cards. */
function isAside(element: Element): boolean {
  return element.hasAttribute("data-aside") || element.hasAttribute("popover");
}

function withAddress(words: string, address: string): string {
  return !address || address.includes(words.trim()) ? words : `${words} (${address})`;
}

function signOf(item: Element): string {
  const list = item.parentElement;
  if (list?.localName !== "ol") return "- ";
  const first = Number(list.getAttribute("start") ?? 1);
  return `${first + [...list.children].indexOf(item)}. `;
}
