// Markdown as elements: never HTML, so nothing that an answer says can become markup.
// Blocks are cut first; while an answer grows, only the last ones change and are made again.

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])(?:[ \t]+(.*)|$)/;
const QUOTE = /^ {0,3}>[ \t]?(.*)$/;
const CELLS = /^[ \t]*\|?[ \t]*:?-{1,}:?[ \t]*(?:\|[ \t]*:?-{1,}:?[ \t]*)*\|?[ \t]*$/;
const DEPTH = 8;

/** Cuts a text into top-level blocks; joined by line breaks they are the text again. */
export function blocksOf(text) {
  const blocks = [];
  let lines = [];
  let fence = "";
  let isList = false;
  const close = () => {
    if (lines.length) blocks.push(lines.join("\n"));
    lines = [];
    isList = false;
  };
  for (const line of text.split("\n")) {
    if (fence) {
      lines.push(line);
      const end = line.trim();
      if (end.length >= fence.length && end === fence[0].repeat(end.length)) {
        fence = "";
        if (!isList) close();
      }
      continue;
    }
    const opened = FENCE.exec(line.trimStart());
    const isInside = isList && (line.startsWith(" ") || line.startsWith("\t"));
    if (opened) {
      if (!isInside) close();
      fence = opened[2];
      lines.push(line);
    } else if (!line.trim()) {
      if (isList) lines.push(line);
      else close();
    } else if (ITEM.test(line) && !RULE.test(line)) {
      if (!isList) close();
      isList = true;
      lines.push(line);
    } else if (isList && !isInside && lines.at(-1)?.trim() === "") {
      close();
      lines.push(line);
    } else if (HEADING.test(line) || RULE.test(line)) {
      close();
      blocks.push(line);
    } else {
      if (QUOTE.test(line) !== QUOTE.test(lines[0] ?? line) && !isList) close();
      lines.push(line);
    }
  }
  close();
  return blocks.map((block) => block.replace(/\n+$/, ""));
}

/** Makes the element of one block. */
export function blockElement(source, context, depth = 0) {
  const lines = source.split("\n");
  const first = lines[0];
  const fence = FENCE.exec(first);
  if (fence) return codeBlock(lines, fence, context);
  const heading = HEADING.exec(first);
  if (heading && lines.length === 1) {
    return inline(make(`h${Math.min(6, heading[1].length)}`), heading[2], context);
  }
  if (RULE.test(first) && lines.length === 1) return make("hr");
  if (ITEM.test(first) && depth < DEPTH) return list(lines, context, depth);
  if (QUOTE.test(first) && depth < DEPTH) {
    const inner = lines.map((line) => QUOTE.exec(line)?.[1] ?? line).join("\n");
    return into(make("blockquote"), inner, context, depth + 1);
  }
  if (lines.length > 1 && first.includes("|") && CELLS.test(lines[1])) return table(lines, context);
  return inline(make("p"), source, context);
}

/** Shows a text in an element, and leaves what has not changed as it is. */
export function into(element, text, context, depth = 0) {
  const blocks = blocksOf(text);
  const shown = [...element.children];
  blocks.forEach((block, at) => {
    const old = shown[at];
    if (old && old.source === block && !context.isForced) return;
    const fresh = blockElement(block, context, depth);
    fresh.source = block;
    if (old) old.replaceWith(fresh);
    else element.append(fresh);
  });
  for (const rest of shown.slice(blocks.length)) rest.remove();
  return element;
}

function make(name, className = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  return element;
}

function codeBlock(lines, fence, context) {
  const last = lines.at(-1).trim();
  const isClosed = lines.length > 1 && last.startsWith(fence[2]);
  const indent = fence[1].length;
  const text = lines
    .slice(1, isClosed ? -1 : undefined)
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join("\n");
  const box = make("div", "code");
  const bar = make("div");
  const name = make("span");
  name.textContent = fence[3];
  bar.append(name, context.copyButton(() => text));
  const pre = make("pre");
  pre.tabIndex = 0;
  const code = make("code");
  code.textContent = text;
  pre.append(code);
  box.append(bar, pre);
  return box;
}

function list(lines, context, depth) {
  const head = ITEM.exec(lines[0]);
  const element = make(head[3] === undefined ? "ul" : "ol");
  if (head[3] !== undefined && head[3] !== "1") element.start = Number(head[3]);
  const indent = head[1].length;
  let item = null;
  const finish = () => {
    if (!item) return;
    const entry = make("li");
    const blocks = blocksOf(item.join("\n"));
    blocks.forEach((block, at) => {
      const made = blockElement(block, context, depth + 1);
      if (made.tagName === "P" && (at === 0 || blocks.length === 1)) entry.append(...made.childNodes);
      else entry.append(made);
    });
    element.append(entry);
  };
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1].length <= indent + 1 && !RULE.test(line)) {
      finish();
      item = [found[4] ?? ""];
    } else if (item) {
      const width = line.length - line.trimStart().length;
      item.push(line.slice(Math.min(width, indent + 2)));
    }
  }
  finish();
  return element;
}

function cellsOf(line) {
  const cells = [];
  let cell = "";
  const trimmed = line.trim();
  for (let at = trimmed.startsWith("|") ? 1 : 0; at < trimmed.length; at += 1) {
    if (trimmed[at] === "\\" && trimmed[at + 1] === "|") {
      cell += "|";
      at += 1;
    } else if (trimmed[at] === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += trimmed[at];
  }
  if (cell.trim()) cells.push(cell.trim());
  return cells;
}

function table(lines, context) {
  const sides = cellsOf(lines[1]).map((cell) => {
    if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
    return "";
  });
  const grid = make("table");
  const row = (line, name) => {
    const element = make("tr");
    const cells = cellsOf(line);
    sides.forEach((side, at) => {
      const cell = make(name, side);
      if (name === "th") cell.scope = "col";
      inline(cell, cells[at] ?? "", context);
      element.append(cell);
    });
    return element;
  };
  const head = make("thead");
  head.append(row(lines[0], "th"));
  const body = make("tbody");
  for (const line of lines.slice(2)) if (line.trim()) body.append(row(line, "td"));
  grid.append(head, body);
  const box = make("div", "table");
  box.tabIndex = 0;
  box.append(grid);
  return box;
}

const PAIRS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "del"],
  ["*", "em"],
  ["_", "em"],
];
const WORD = /[\p{L}\p{N}_]/u;
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>]+/i;
const MARK = /^\[(\d{1,3})\]/;
const CHARS = 20000;

/** Puts the inline text of a block into an element. */
export function inline(element, text, context, depth = 0) {
  let plain = "";
  const flush = () => {
    if (plain) element.append(plain);
    plain = "";
  };
  if (depth > DEPTH || text.length > CHARS) {
    element.append(text);
    return element;
  }
  let at = 0;
  while (at < text.length) {
    const made = piece(text, at, context, depth);
    if (made) {
      flush();
      if (made.node) element.append(made.node);
      at = made.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return element;
}

function piece(text, at, context, depth) {
  const sign = text[at];
  if (sign === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
    return { node: document.createTextNode(text[at + 1]), end: at + 2 };
  }
  if (sign === "\n") return { node: make("br"), end: at + 1 };
  if (sign === "`") return code(text, at);
  if (sign === "!" && text[at + 1] === "[") return link(text, at + 1, context, depth, true);
  if (sign === "[") {
    const mark = MARK.exec(text.slice(at, at + 5));
    if (mark && text[at + mark[0].length] !== "(") {
      const node = context.mark?.(Number(mark[1]));
      return node ? { node, end: at + mark[0].length } : null;
    }
    return link(text, at, context, depth, false);
  }
  if (sign === "<") {
    const end = text.indexOf(">", at);
    const address = end > 0 ? text.slice(at + 1, end) : "";
    const url = ADDRESS.test(address) ? safeUrl(address) : null;
    return url ? { node: anchor(url, address, context), end: end + 1 } : null;
  }
  if ((sign === "h" || sign === "m") && !WORD.test(text[at - 1] ?? " ")) {
    const found = ADDRESS.exec(text.slice(at, at + 2048));
    if (found) {
      const address = found[0].replace(/[.,;:!?)\]}'"*_~，。；：！？）】」]+$/u, "");
      const url = safeUrl(address);
      if (url) return { node: anchor(url, address, context), end: at + address.length };
    }
  }
  return emphasis(text, at, context, depth);
}

function code(text, at) {
  let run = 1;
  while (text[at + run] === "`") run += 1;
  const end = text.indexOf("`".repeat(run), at + run);
  if (end < 0) return { node: document.createTextNode("`".repeat(run)), end: at + run };
  const node = make("code");
  node.textContent = text.slice(at + run, end).replace(/^ (.*) $/, "$1");
  return { node, end: end + run };
}

function emphasis(text, at, context, depth) {
  for (const [sign, name] of PAIRS) {
    if (!text.startsWith(sign, at)) continue;
    const inside = at + sign.length;
    if (/\s/.test(text[inside] ?? " ")) continue;
    if (sign[0] === "_" && WORD.test(text[at - 1] ?? " ")) continue;
    const end = text.indexOf(sign, inside + 1);
    if (end < 0 || /\s/.test(text[end - 1])) continue;
    if (sign[0] === "_" && WORD.test(text[end + sign.length] ?? " ")) continue;
    if (sign.length === 1 && text[end + 1] === sign) continue;
    const node = inline(make(name), text.slice(inside, end), context, depth + 1);
    return { node, end: end + sign.length };
  }
  return null;
}

function link(text, at, context, depth, isImage) {
  let open = 0;
  let close = at;
  for (; close < text.length && close < at + 2048; close += 1) {
    if (text[close] === "\\") close += 1;
    else if (text[close] === "[") open += 1;
    else if (text[close] === "]") {
      open -= 1;
      if (!open) break;
    }
  }
  if (text[close] !== "]" || text[close + 1] !== "(") return null;
  let end = close + 2;
  for (let depthOf = 1; end < text.length && end < close + 4096; end += 1) {
    if (text[end] === "(") depthOf += 1;
    if (text[end] === ")") depthOf -= 1;
    if (!depthOf) break;
  }
  if (text[end] !== ")") return null;
  const label = text.slice(at + 1, close);
  const target = text.slice(close + 2, end).trim().split(/\s+["'(]/)[0].replace(/^<(.*)>$/, "$1");
  const url = safeUrl(target);
  if (!url) return { node: document.createTextNode(label), end: end + 1 };
  if (isImage && (url.origin === location.origin || url.protocol === "data:")) {
    const image = make("img");
    image.src = url.href;
    image.alt = label;
    image.loading = "lazy";
    return { node: image, end: end + 1 };
  }
  if (url.protocol === "data:") return { node: document.createTextNode(label), end: end + 1 };
  const node = anchor(url, label || url.href, context, depth);
  return { node, end: end + 1 };
}

function anchor(url, label, context, depth = DEPTH) {
  const node = make("a");
  node.href = url.href;
  node.target = "_blank";
  node.rel = "noopener noreferrer nofollow";
  inline(node, label, { ...context, mark: null }, depth + 1);
  if (url.host && !label.toLowerCase().includes(url.host)) {
    const host = make("span", "host");
    host.textContent = ` (${url.host})`;
    node.append(host);
  }
  return node;
}

/** Returns the address if it may be followed; images may also bring their bytes. */
export function safeUrl(text) {
  let url;
  try {
    url = new URL(text, location.href);
  } catch {
    return null;
  }
  if (["http:", "https:", "mailto:"].includes(url.protocol)) return url;
  const isImage = /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(text);
  return isImage ? url : null;
}
