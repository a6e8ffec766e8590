import { readJson } from "../json/json";

/** Beginnings of HTML and SVG, as the server tells them too. */
const PAGE =
  /^\s*(?:<!--.*?-->\s*)*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|form|img|svg)[\s/>]/is;

/** Whether a text is HTML or SVG, or JSON with some in it. */
export function holdsPage(text: string): boolean {
  return text.includes("<") && (PAGE.test(text) || isIn(readJson(text)));
}

function isIn(value: unknown): boolean {
  if (typeof value === "string") return PAGE.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isIn);
}
