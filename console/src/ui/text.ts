import { Catalogue } from "../text/catalogue";
import type { Text } from "./text.en";

/** What components say by themselves. */
export const uiText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
