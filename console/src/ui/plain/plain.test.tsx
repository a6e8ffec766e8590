import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Difference } from "../difference/difference";
import { Plain, unseenIn } from "./plain";

const TURNED = "pay \u202Eexe.fdp\u202C to\u200B you";

test("what cannot be seen of a text is named", () => {
  const { container } = render(<Plain text={TURNED} />);
  expect(container.textContent).toBe("pay U+202Eexe.fdpU+202C toU+200B you");
  expect(unseenIn(`${TURNED}\u200B`)).toEqual(["U+202E", "U+202C", "U+200B"]);
  expect(unseenIn("日本語 — café 🙂")).toEqual([]);
});

test("a change that only adds what cannot be seen is seen", () => {
  const { container } = render(
    <Difference label="Persona" left="be kind" right={"be\u200B kind"} />,
  );
  expect(container.querySelector("ins")?.textContent).toContain("U+200B");
});
