// FastGPT's convention for JavaScript: inputs as members of one object, and functions that it
// offers. https://doc.fastgpt.io/docs/introduction/guide/dashboard/workflow/sandbox lists them.
(() => {
  "use strict";
  const DELAY_MS = 10000;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  // Without the stack of this file, whose lines are not the user's.
  function refuse(message) {
    const error = new Error(message);
    error.stack = "";
    throw error;
  }

  function utf8(text) {
    const bytes = [];
    for (const character of String(text).toWellFormed?.() ?? String(text)) {
      const code = character.codePointAt(0);
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
      else if (code < 0x10000)
        bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      else
        bytes.push(
          0xf0 | (code >> 18),
          0x80 | ((code >> 12) & 63),
          0x80 | ((code >> 6) & 63),
          0x80 | (code & 63),
        );
    }
    return bytes;
  }

  function base64(bytes) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += 3) {
      const left = bytes.length - at;
      const word = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      parts.push(
        LETTERS[word >> 18],
        LETTERS[(word >> 12) & 63],
        left > 1 ? LETTERS[(word >> 6) & 63] : "=",
        left > 2 ? LETTERS[word & 63] : "=",
      );
    }
    return parts.join("");
  }

  function primes(count) {
    const found = [];
    for (let number = 2; found.length < count; number++)
      if (found.every((prime) => number % prime)) found.push(number);
    return found;
  }

  // FIPS 180-4: constants are the first bits of the fractions of roots of primes.
  function fraction(prime, root, bits) {
    const wide = BigInt(prime) << BigInt(bits * root);
    let [low, high] = [0n, 1n << BigInt(bits + 8)];
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(root) <= wide) low = middle;
      else high = middle;
    }
    return low & ((1n << BigInt(bits)) - 1n);
  }

  function padded(bytes, block, lengthBytes) {
    const all = [...bytes, 0x80];
    while ((all.length + lengthBytes) % block) all.push(0);
    const bits = BigInt(bytes.length) * 8n;
    for (let at = lengthBytes - 1; at >= 0; at--)
      all.push(Number((bits >> BigInt(at * 8)) & 255n));
    return all;
  }

  function words(bytes, at, size, count) {
    const found = [];
    for (let index = 0; index < count; index++) {
      let word = 0n;
      for (let byte = 0; byte < size; byte++)
        word = (word << 8n) | BigInt(bytes[at + index * size + byte]);
      found.push(word);
    }
    return found;
  }

  function bytesOf(state, size) {
    const found = [];
    for (const word of state)
      for (let byte = size - 1; byte >= 0; byte--)
        found.push(Number((word >> BigInt(byte * 8)) & 255n));
    return found;
  }

  function sha2({ bits, rounds, shifts, length }) {
    const mask = (1n << BigInt(bits)) - 1n;
    const size = bits / 8;
    const turn = (word, by) => ((word >> by) | (word << (BigInt(bits) - by))) & mask;
    const [s0, s1, e0, e1] = shifts.map((row) => row.map(BigInt));
    const constants = primes(rounds).map((prime) => fraction(prime, 3, bits));
    const initial = primes(8).map((prime) => fraction(prime, 2, bits));
    const small = (word, [a, b, c]) => turn(word, a) ^ turn(word, b) ^ (word >> c);
    const large = (word, [a, b, c]) => turn(word, a) ^ turn(word, b) ^ turn(word, c);
    return (bytes) => {
      const all = padded(bytes, size * 16, size * 2);
      let state = initial;
      for (let at = 0; at < all.length; at += size * 16) {
        const w = words(all, at, size, 16);
        for (let i = 16; i < rounds; i++)
          w.push((small(w[i - 2], s1) + w[i - 7] + small(w[i - 15], s0) + w[i - 16]) & mask);
        let [a, b, c, d, e, f, g, h] = state;
        for (let i = 0; i < rounds; i++) {
          const choice = (e & f) ^ (~e & mask & g);
          const first = h + large(e, e1) + choice + constants[i] + w[i];
          const second = large(a, e0) + ((a & b) ^ (a & c) ^ (b & c));
          [a, b, c, d, e, f, g, h] = [(first + second) & mask, a, b, c, (d + first) & mask, e, f, g];
        }
        state = [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) & mask);
      }
      return bytesOf(state, size).slice(0, length);
    };
  }

  function sha1(bytes) {
    const mask = 0xffffffffn;
    const turn = (word, by) => ((word << by) | (word >> (32n - by))) & mask;
    const all = padded(bytes, 64, 8);
    let state = [0x67452301n, 0xefcdab89n, 0x98badcfen, 0x10325476n, 0xc3d2e1f0n];
    for (let at = 0; at < all.length; at += 64) {
      const w = words(all, at, 4, 16);
      for (let i = 16; i < 80; i++) w.push(turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1n));
      let [a, b, c, d, e] = state;
      for (let i = 0; i < 80; i++) {
        const [mix, constant] =
          i < 20
            ? [(b & c) | (~b & mask & d), 0x5a827999n]
            : i < 40
              ? [b ^ c ^ d, 0x6ed9eba1n]
              : i < 60
                ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdcn]
                : [b ^ c ^ d, 0xca62c1d6n];
        [a, b, c, d, e] = [(turn(a, 5n) + mix + e + constant + w[i]) & mask, a, turn(b, 30n), c, d];
      }
      state = [a, b, c, d, e].map((word, i) => (word + state[i]) & mask);
    }
    return bytesOf(state, 4);
  }

  const wide = {
    bits: 64,
    rounds: 80,
    shifts: [
      [1, 8, 7],
      [19, 61, 6],
      [28, 34, 39],
      [14, 18, 41],
    ],
  };
  const hashes = {
    sha1: () => [sha1, 64],
    sha256: () => [
      sha2({
        bits: 32,
        rounds: 64,
        length: 32,
        shifts: [
          [7, 18, 3],
          [17, 19, 10],
          [2, 13, 22],
          [6, 11, 25],
        ],
      }),
      64,
    ],
    sha512: () => [sha2({ ...wide, length: 64 }), 128],
  };

  // RFC 2104.
  function hmac(algorithm, secret, text) {
    const name = String(algorithm).toLowerCase().replace("-", "");
    if (!Object.hasOwn(hashes, name))
      refuse(`createHmac knows ${Object.keys(hashes).join(", ")} here, not ${algorithm}.`);
    const [hash, block] = hashes[name]();
    let key = utf8(secret);
    if (key.length > block) key = hash(key);
    while (key.length < block) key.push(0);
    const inner = hash([...key.map((byte) => byte ^ 0x36), ...utf8(text)]);
    return hash([...key.map((byte) => byte ^ 0x5c), ...inner]);
  }

  const SystemHelper = {
    countToken: (text) => Math.ceil(String(text).length / 4),
    strToBase64: (text, prefix = "") => prefix + base64(utf8(text)),
    createHmac(algorithm, secret) {
      const timestamp = Date.now().toString();
      const signed = hmac(algorithm, secret, `${timestamp}\n${secret}`);
      return { timestamp, sign: encodeURIComponent(base64(signed)) };
    },
    delay(ms) {
      if (ms > DELAY_MS) refuse(`Delay must be <= ${DELAY_MS}ms`);
      return new Promise((resolve) => setTimeout(resolve, ms));
    },
    httpRequest: () => refuse("Code cannot reach the network here; use an HTTP node."),
  };
  const require = (name) => refuse(`Code has no modules here, and no ${name}.`);

  return {
    offered: (params) => ({ ...SystemHelper, SystemHelper, require, variables: params }),
    call: (main, params) => main(params, {}),
    wrap: (value) => ({ value: value === undefined ? null : value }),
  };
})()
