import { expect, test } from "vitest";
import { joined, moved, reworded, type Seams } from "./chunks";

const CHUNKS = chunksOf("One. Two.\n\nThree.", "Four. Five.");

function chunksOf(...all: readonly string[]) {
  return all.map((text, at) => ({
    id: at + 1,
    type: 0,
    text,
    heading_path: [],
    page: null,
    boxes: [],
  }));
}

function texts(chunks: readonly { text: string }[]): string[] {
  return chunks.map((chunk) => chunk.text);
}

test("a boundary goes up and down by sentences, and nothing is lost on the way", () => {
  const seams: Seams = new Map();
  const up = moved(CHUNKS, 1, "up", seams);
  const further = moved(up, 1, "up", seams);
  const back = moved(moved(further, 1, "down", seams), 1, "down", seams);
  const down = moved(back, 1, "down", seams);

  expect(texts(up)).toEqual(["One. Two.", "Three.\n\nFour. Five."]);
  expect(texts(further)).toEqual(["One.", "Two.\n\nThree.\n\nFour. Five."]);
  expect(texts(back)).toEqual(texts(CHUNKS));
  expect(texts(down)).toEqual(["One. Two.\n\nThree.\n\nFour.", "Five."]);
  expect(texts(joined(down, 1, seams))).toEqual(["One. Two.\n\nThree.\n\nFour. Five."]);
});

test("Chinese sentences stay in their paragraph", () => {
  const seams: Seams = new Map();
  const chunks = chunksOf("甲。乙。丙。", "丁。");
  const up = moved(moved(chunks, 1, "up", seams), 1, "up", seams);

  expect(texts(up)).toEqual(["甲。", "乙。丙。\n\n丁。"]);
});

test("a slice keeps its last sentence, and its parts are slices of their own", () => {
  const one = reworded(CHUNKS, 1, ["One.", "Two."]);

  expect(texts(one)).toEqual(["One.", "Two.", "Four. Five."]);
  expect(moved(one, 1, "up", new Map())).toBe(one);
});
