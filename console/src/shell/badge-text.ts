import { Catalogue } from "../text/catalogue";
import type { Text } from "./badge-text.en";

/** Texts of what waits for the person, which come after what is on the screen. */
export const badgeText = new Catalogue<Text>({
  en: () => import("./badge-text.en"),
  zh: () => import("./badge-text.zh"),
});
