import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

const BLUE: Colour = [26, 62, 138];
const RED: Colour = [196, 36, 44];
const WHITE: Colour = [246, 246, 242];
const YELLOW: Colour = [240, 196, 32];

/** Signal flags of ships, by the parts of their sides. */
const FLAGS = {
  H: (x: number) => (x < 0.5 ? WHITE : RED),
  K: (x: number) => (x < 0.5 ? YELLOW : BLUE),
  O: (x: number, y: number) => (x > y ? RED : YELLOW),
  P: (x: number, y: number) => (x > 0.3 && x < 0.7 && y > 0.3 && y < 0.7 ? WHITE : BLUE),
} satisfies Record<string, (x: number, y: number) => Colour>;

const [WIDTH, HEIGHT] = [240, 180];
const RGB = 2;

/** A signal flag as a PNG: a picture that needs no file. */
export function flag(letter: keyof typeof FLAGS): Buffer {
  const at = FLAGS[letter];
  const lines = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array.from({ length: WIDTH }, (_, x) => at(x / WIDTH, y / HEIGHT)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(lines.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}
