import { Catalogue } from "../text/catalogue";
import type { Text } from "./door-text.en";

/** Texts that the pages on the way in share with the account. */
export const doorText = new Catalogue<Text>({
  en: () => import("./door-text.en"),
  zh: () => import("./door-text.zh"),
});
