import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { switchLanguage } from "../src/text/catalogue";
import { uiText } from "../src/ui/text";

beforeEach(async () => {
  if (typeof document === "undefined") return;
  await uiText.load("en");
  await switchLanguage("en");
});

afterEach(cleanup);
