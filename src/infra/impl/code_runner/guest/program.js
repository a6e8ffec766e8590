// Runs the user's main and describes the outcome. Evaluates to a function: called with a request
// (JSON text) it starts, called without one it goes on; it returns the reply (JSON text) once
// there is one, and an empty text before. Nothing here is a boundary: the user's code shares this
// engine and may change all of it; the WebAssembly instance is the boundary.
(() => {
  "use strict";
  const { parse, stringify } = JSON;
  const evaluate = eval;
  const text = String;
  const isArray = Array.isArray;
  const isFinite = Number.isFinite;
  const values = Object.values;
  const resolve = Promise.resolve.bind(Promise);

  const printed = { parts: [], left: 0, truncated: false };
  const timers = [];
  let bounds;
  let clock = 0;
  let ticket = 0;
  let reply = "";
  let idle = 0;

  // How main is called; a text in the request may say otherwise.
  const plain = {
    offered: () => ({}),
    call: (main, params) => main({ params }),
    wrap: (value) => value,
  };

  class ResultTooLarge extends Error {}
  class BadResult extends Error {}

  function show(value) {
    if (typeof value === "string") return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return typeof value === "object" && value !== null ? stringify(value) : text(value);
    } catch {
      return "[object]";
    }
  }

  function utf8Length(code) {
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }

  function byteLength(encoded) {
    let size = 0;
    for (const character of encoded) size += utf8Length(character.codePointAt(0));
    return size;
  }

  function print(...items) {
    const line = items.map(show).join(" ") + "\n";
    if (printed.left <= 0) {
      printed.truncated = true;
      return;
    }
    let end = 0;
    while (end < line.length) {
      const code = line.codePointAt(end);
      printed.left -= utf8Length(code);
      if (printed.left < 0) {
        printed.truncated = true;
        break;
      }
      end += code > 0xffff ? 2 : 1;
    }
    printed.parts.push(line.slice(0, end));
  }

  // xorshift128+, as engines use it for Math.random; seeded, so that runs can be repeated.
  function generator(seed) {
    const mask = (1n << 64n) - 1n;
    let [a, b] = [(BigInt(seed) ^ 0x9e3779b97f4a7c15n) & mask, 0xbf58476d1ce4e5b9n];
    return () => {
      let x = a;
      a = b;
      x ^= (x << 23n) & mask;
      b = x ^ b ^ (x >> 17n) ^ (b >> 26n);
      return Number(((a + b) & mask) >> 11n) / 2 ** 53;
    };
  }

  function setTimer(callback, delay = 0, ...given) {
    const id = ++ticket;
    timers.push({ id, at: clock + Math.max(0, Number(delay) || 0), callback, given });
    return id;
  }

  function clearTimer(id) {
    const index = timers.findIndex((timer) => timer.id === id);
    if (index >= 0) timers.splice(index, 1);
  }

  // Time jumps to the next timer: nothing else can happen while the code waits.
  function fireNext() {
    let next = timers[0];
    for (const timer of timers) if (timer.at < next.at) next = timer;
    clearTimer(next.id);
    clock = next.at;
    next.callback(...next.given);
  }

  function check(value) {
    let layer = [value];
    for (let level = 0; level < bounds.result_depth; level++) {
      const inner = [];
      for (const item of layer) {
        for (const member of isArray(item) ? item : values(item)) {
          if (typeof member === "number" && !isFinite(member))
            throw new BadResult(`The result contains ${member}, which is not JSON.`);
          if (typeof member === "object" && member !== null) inner.push(member);
        }
      }
      if (inner.length === 0) return;
      layer = inner;
    }
    throw new ResultTooLarge(`The result is nested deeper than ${bounds.result_depth} levels.`);
  }

  function encode(result) {
    if (typeof result !== "object" || result === null || isArray(result))
      throw new BadResult("main must return an object.");
    check(result);
    const encoded = stringify(result);
    // At most three bytes for each unit of a string.
    const near = encoded.length * 3 > bounds.result_bytes;
    if (near && byteLength(encoded) > bounds.result_bytes)
      throw new ResultTooLarge(`The result is longer than ${bounds.result_bytes} bytes.`);
    return encoded;
  }

  // Evaluated text, the user's code that is, has this name in stacks; ours has another.
  function lineOf(error) {
    const found = /<input>:(\d+)/.exec(text(error.stack ?? ""));
    return found ? Number(found[1]) : null;
  }

  function describe(error) {
    if (!(error instanceof Error)) return { type: "Error", message: show(error), line: null };
    const own = error instanceof BadResult || error instanceof ResultTooLarge;
    const name = own ? error.constructor.name : text(error.name);
    return { type: name, message: text(error.message), line: own ? null : lineOf(error) };
  }

  function statusOf(error, described) {
    if (error instanceof ResultTooLarge) return "output_too_large";
    const full = described.type === "InternalError" && /out of memory/.test(described.message);
    return full ? "oom" : "user_error";
  }

  function finish(outcome, encoded) {
    const told = { ...outcome, stdout: printed.parts.join(""), stdout_truncated: printed.truncated };
    const members = stringify(told);
    reply = encoded === undefined ? members : `${members.slice(0, -1)},"result":${encoded}}`;
  }

  function fail(error, linesAbove = 0) {
    let described;
    try {
      described = describe(error);
    } catch {
      described = { type: "Error", message: "The exception cannot be printed.", line: null };
    }
    if (described.line !== null) described.line = Math.max(1, described.line - linesAbove);
    described.type = described.type.slice(0, 100);
    described.message = described.message.slice(0, bounds.error_bytes / 4);
    finish({ status: statusOf(error, described), error: described });
  }

  function succeed(result) {
    try {
      finish({ status: "ok" }, encode(result));
    } catch (error) {
      fail(error);
    }
  }

  function whole(code) {
    return `${code}\n;typeof main === "function" ? main : undefined`;
  }

  // All of a text is compiled before its first statement runs, and that one ends it here.
  function compile(code) {
    const strict = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*(["'])use strict\1/.test(code);
    const first = `${strict ? '"use strict";' : ""}throw null;\n`;
    try {
      evaluate(first + whole(code.startsWith("#!") ? `//${code}` : code));
    } catch (error) {
      if (error === null) succeed({});
      else fail(error, 1);
    }
  }

  function start(asked) {
    bounds = asked.bounds;
    printed.left = bounds.stdout_bytes;
    Math.random = generator(asked.seed);
    if (asked.only_compiles) return compile(asked.code);
    const console = {};
    for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = print;
    const names = { console, setTimeout: setTimer, clearTimeout: clearTimer };
    Object.assign(globalThis, names);
    const convention = asked.convention ? evaluate(asked.convention) : plain;
    const params = parse(asked.params);
    Object.assign(globalThis, convention.offered(params));
    const main = evaluate(whole(asked.code));
    if (main === undefined) throw new ReferenceError("The code defines no function main.");
    resolve(convention.call(main, params)).then(convention.wrap).then(succeed, fail);
  }

  return (request) => {
    try {
      if (request !== undefined) start(parse(request));
      else if (timers.length > 0) fireNext();
      else if (++idle > 2) throw new Error("The code awaits something that can never happen.");
    } catch (error) {
      fail(error);
    }
    return reply;
  };
})()
