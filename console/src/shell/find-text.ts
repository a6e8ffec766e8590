import { Catalogue } from "../text/catalogue";
import type { Text } from "./find-text.en";

/** Texts of Find or do, which come with it. */
export const findText = new Catalogue<Text>({
  en: () => import("./find-text.en"),
  zh: () => import("./find-text.zh"),
});
