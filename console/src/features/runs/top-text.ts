import { Catalogue } from "../../text/catalogue";
import type { Text } from "./top-text.en";

/** Texts of what stands above the rows, which come before it. */
export const topText = new Catalogue<Text>({
  en: () => import("./top-text.en"),
  zh: () => import("./top-text.zh"),
});
