import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { switchLanguage } from "../../text/catalogue";
import { Gallery } from "./gallery";

test.each([
  ["en", "Remove gpt-5-mini"],
  ["zh", "移除“gpt-5-mini”"],
] as const)("all controls are shown together in %s", async (language, name) => {
  await switchLanguage(language);
  render(<Gallery />);
  expect(screen.getAllByRole("button", { name })).toHaveLength(1);
  expect(screen.getAllByRole("switch")).toHaveLength(3);
});
