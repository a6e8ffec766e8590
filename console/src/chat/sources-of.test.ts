import { expect, test } from "vitest";
import { sourceOf, unlisted } from "./sources-of";

const SOURCES = [sourceOf({ n: 1, document_name: "Guide" }), sourceOf({ n: 3, page: 2 })];

test("a list of sources at the end of an answer stands below it alone", () => {
  const said = "Free of charge [1].\n\nBut [3].";
  expect(unlisted(`${said}\n\n[1] Guide\n[3] Study, p. 2`, SOURCES)).toBe(said);
});

test("a last paragraph that only begins with a mark stays", () => {
  for (const said of ["Yes.\n\n[1] says so.", "[1] Guide\n[3] Study", "Yes.\n\n[1] a\n[2] b"])
    expect(unlisted(said, SOURCES)).toBe(said);
  expect(unlisted("Yes.", [])).toBe("Yes.");
});
